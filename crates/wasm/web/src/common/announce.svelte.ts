/** Polite announcements for screen readers. The page holds one live region that shows them. */
class Announcer {
  text = $state("");

  say(text: string): void {
    // The same words twice would not be read again.
    this.text = text === this.text ? text + "\u00a0" : text;
  }
}

export const announcer = new Announcer();
export const announce = (text: string): void => announcer.say(text);
