import { notices } from "../common/notice.svelte.ts";
import { panel } from "../common/panel.svelte.ts";

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
