/** Polite announcements for screen readers, in the page's one live region. */
class Announcer {
  text = $state("");

  say(text: string): void {
    // Screen readers do not repeat an unchanged text.
    this.text = text === this.text ? text + "\u00a0" : text;
  }
}

export const announcer = new Announcer();
export const announce = (text: string): void => announcer.say(text);
