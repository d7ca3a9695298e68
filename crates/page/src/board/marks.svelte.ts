import type { Mark } from "sliding-tile-pdb/board";
import { SvelteMap } from "svelte/reactivity";

export type { Mark };

/** The marks on the tiles of a board, by tile number. */
export type MarkBoard = Pick<Map<number, Mark>, "set" | "get" | "delete">;

/**
 * Marks on the tiles of the board, by tile number. The part of the page that sets a mark deletes
 * it.
 */
export const marks = { tiles: new SvelteMap<number, Mark>() };

/** The words of the hint, for the strip above the board, which is there before the solver is. */
export const hintShown = $state({ words: "" });

/** Whether the goal is shown in place of the board. */
export const goalShown = $state({ on: false });

/** Whether the visitor arranges the board by hand instead of playing. */
export const arranging = $state({ on: false });
