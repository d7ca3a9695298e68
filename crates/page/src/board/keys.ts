import type { Game, Way } from "../game/game.svelte.ts";
import { tick } from "svelte";

const arrows: Record<string, Way> = {
  ArrowUp: "U",
  ArrowDown: "D",
  ArrowLeft: "L",
  ArrowRight: "R",
};
const letters: Record<string, Way> = { w: "U", s: "D", a: "L", d: "R" };

/** Whether the focused element uses keys itself, as fields, sliders and dialogs do. */
function isTaken(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest(
      // Checkboxes do not use arrows and letters.
      "input:not([type=checkbox]), select, textarea, dialog, [contenteditable], [role=tab], " +
        "[role=radio], [data-own-keys], [role=slider], [role=listbox], [role=grid]",
    ) !== null
  );
}

/**
 * Handles a key. An arrow key moves a tile in the arrow's direction into the blank. W, A, S and D
 * act like arrow keys. With Shift, these keys move the whole line. Returns whether the key was
 * handled.
 */
export function playKey(event: KeyboardEvent, game: Game): boolean {
  if (event.defaultPrevented || event.altKey || isTaken(event.target)) return false;
  // A key held down undoes moves, but does not return to earlier games.
  if (event.repeat && game.position === 0 && /^[uz]$/i.test(event.key)) return false;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (event.ctrlKey || event.metaKey) {
    if (key === "z") return (event.shiftKey ? game.redo() : game.undo(), true);
    if (key === "y") return (game.redo(), true);
    return false;
  }
  if (key === "u") return (game.undo(), true);
  const way = arrows[key] ?? letters[key];
  if (!way) return false;
  if (event.shiftKey) game.slide(edge(game, way));
  else game.play(way, "player");
  return true;
}

/**
 * The cell farthest from the blank whose tile can move in the direction `way`: for `U`, the bottom
 * cell of the blank's column.
 */
function edge(game: Game, way: Way): number {
  const blank = game.tiles.indexOf(0);
  const column = blank % game.columns;
  switch (way) {
    case "U":
      return (game.rows - 1) * game.columns + column;
    case "D":
      return column;
    case "L":
      return blank - column + game.columns - 1;
    case "R":
      return blank - column;
  }
}

/** Focuses the board after a change of the page that may have removed the focused button. */
export async function focusBoard(): Promise<void> {
  await tick();
  document.querySelector<HTMLElement>('.stage [data-tile][tabindex="0"]')?.focus();
}
