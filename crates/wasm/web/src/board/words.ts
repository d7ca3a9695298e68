import type { Way } from "../game/rules.ts";
import type { Mark } from "./marks.svelte.ts";

export const wayWords: Record<Way, string> = { U: "up", D: "down", L: "left", R: "right" };

const markWords: Record<Mark, string> = {
  hint: "hint",
  "hint U": "hint: move it up",
  "hint D": "hint: move it down",
  "hint L": "hint: move it left",
  "hint R": "hint: move it right",
  conflict: "in conflict",
  swap: "to be swapped",
  seen: "seen by the heuristic",
};

export const placeWords = (cell: number, columns: number): string =>
  `row ${Math.floor(cell / columns) + 1} column ${(cell % columns) + 1}`;

/** What a screen reader says of a tile. */
export function tileWords(
  tile: number,
  cell: number,
  columns: number,
  way: Way | undefined,
  mark: Mark | undefined,
): string {
  const parts = [tile ? `tile ${tile}` : "blank", placeWords(cell, columns)];
  if (way) parts.push(`can move ${wayWords[way]}`);
  if (mark) parts.push(markWords[mark]);
  return parts.join(", ");
}
