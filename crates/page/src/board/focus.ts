import { tick } from "svelte";

/** Focuses the board after a change of the page that may have removed the focused button. */
export async function focusBoard(): Promise<void> {
  await tick();
  document.querySelector<HTMLElement>('.stage [data-tile][tabindex="0"]')?.focus();
}
