import { SvelteMap } from "svelte/reactivity";
import type { Way } from "../game/rules.ts";

/**
 * Why a tile is marked: a move to make, perhaps with its way, tiles in conflict, tiles to swap,
 * what a heuristic sees.
 */
export type Mark = "hint" | `hint ${Way}` | "conflict" | "swap" | "seen";

/** Marks on the tiles of the board, by the number on the tile. Whoever sets a mark deletes it. */
export const marks = { tiles: new SvelteMap<number, Mark>() };
