import { tick } from "svelte";

/** Focuses the board after the page has changed, which may have removed the focused button. */
export async function focusBoard(): Promise<void> {
  await tick();
  document.querySelector<HTMLElement>('.stage [data-tile][tabindex="0"]')?.focus();
}
