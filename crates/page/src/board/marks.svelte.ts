import type { Mark } from "sliding-tile-pdb/board";
import { SvelteMap } from "svelte/reactivity";

export type { Mark };

/**
 * Marks on the tiles of the board, by tile number. The part of the page that sets a mark deletes
 * it.
 */
export const marks = { tiles: new SvelteMap<number, Mark>() };
