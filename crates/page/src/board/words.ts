/** Moves, tiles and cells in words, in the language of the page. */
import { text } from "../text/text.svelte.ts";
import type { TileMove } from "sliding-tile-pdb";
import type { Way } from "../game/rules.ts";
import { countText } from "../common/format.ts";

export const placeWords = (cell: number, columns: number): string =>
  text.element.place(Math.floor(cell / columns) + 1, (cell % columns) + 1);

/** `1 move`, `12 moves`. */
export const movesText = (count: number): string => text.advice.moves(count, countText(count));

export function tilesText(tiles: readonly number[]): string {
  if (tiles.length === 1) return text.advice.tile(tiles[0]);
  return text.advice.tiles(tiles.slice(0, -1).join(", "), tiles[tiles.length - 1]);
}

export function moveText(move: Pick<TileMove, "moves"> & { tiles: readonly number[] }): string {
  return `${tilesText(move.tiles)} ${text.advice.ways[move.moves.charAt(0) as Way]}`;
}
