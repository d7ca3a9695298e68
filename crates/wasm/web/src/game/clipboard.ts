import { notices } from "../common/notice.svelte.ts";
import { panel } from "../common/panel.svelte.ts";

/**
 * Copies, and confirms it in these words. Where the browser refuses, the dialog shows the text to
 * copy by hand.
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
