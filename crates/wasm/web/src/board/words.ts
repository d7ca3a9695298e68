import type { Way } from "../game/rules.ts";
import { text } from "../text/text.svelte.ts";
import type { Mark } from "./marks.svelte.ts";

function markWords(mark: Mark): string {
  if (mark.startsWith("hint ")) return text.board.hintWay(text.board.ways[mark.at(-1) as Way]);
  return text.board.marks[mark as keyof typeof text.board.marks];
}

export const placeWords = (cell: number, columns: number): string =>
  text.board.place(Math.floor(cell / columns) + 1, (cell % columns) + 1);

/** What a screen reader says of a tile. */
export function tileWords(
  tile: number,
  cell: number,
  columns: number,
  way: Way | undefined,
  mark: Mark | undefined,
): string {
  const parts = [tile ? text.board.tile(tile) : text.board.blank, placeWords(cell, columns)];
  if (way) parts.push(text.board.canMove(text.board.ways[way]));
  if (mark) parts.push(markWords(mark));
  return parts.join(", ");
}
