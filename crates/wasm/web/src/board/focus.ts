import { tick } from "svelte";

/** Focuses the board once the page has changed: its button may have been the one that is gone. */
export async function focusBoard(): Promise<void> {
  await tick();
  const tile = 'section[aria-label="Board"] [data-tile][tabindex="0"]';
  document.querySelector<HTMLElement>(tile)?.focus();
}
