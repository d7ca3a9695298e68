import { panel } from "./panel.svelte.ts";

/** A message above the board. */
export interface Notice {
  text: string;
  kind: "plain" | "bad" | "passing";
  /** A button of the message. */
  action?: { label: string; run: () => void };
}

class Notices {
  list = $state.raw<Notice[]>([]);

  /** Shows a message; equal messages are shown once. */
  add(notice: Notice): void {
    this.list = [...this.list.filter(({ text }) => text !== notice.text), notice];
  }

  remove(notice: Notice): void {
    this.list = this.list.filter((other) => other !== notice);
  }

  /** Shows a message that disappears after `duration` milliseconds: "Copied". */
  flash(text: string, action?: Notice["action"], duration = 4000): void {
    const notice: Notice = { text, kind: action ? "plain" : "passing", action };
    this.add(notice);
    setTimeout(() => this.remove(notice), duration);
  }
}

export const notices = new Notices();

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

/**
 * Copies a text and confirms it with a message. If the browser does not allow copying, a dialog
 * shows the text.
 */
export async function copy(text: string, words: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notices.flash(words);
  } catch {
    panel.shared = text;
    panel.dialog = "share";
  }
}
