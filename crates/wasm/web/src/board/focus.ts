import { tick } from "svelte";

/** Focuses the board once the page has changed: its button may have been the one that is gone. */
export async function focusBoard(): Promise<void> {
  await tick();
  document.querySelector<HTMLElement>('.stage [data-tile][tabindex="0"]')?.focus();
}
