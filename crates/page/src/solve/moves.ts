/**
 * Moves as text. A letter is the direction of the moved tile; a number repeats the letter before
 * it.
 */
import type { Metric, Notation } from "sliding-tile-pdb";
import { back, move, type Way } from "sliding-tile-pdb/board-rules";

/** `U2RD` as single letters: `UURD`. */
export function lettersOf(moves: string): string {
  return moves.replace(/([UDLR])(\d+)/g, (_, way: string, count: string) =>
    way.repeat(Number(count)),
  );
}

/** `UURD` with counts: `U2RD`. */
export function groupsOf(letters: string): string {
  return letters.replace(/(.)\1+/g, (run, way: string) => `${way}${run.length}`);
}

/**
 * For each move, the number of letters up to its end. A move is one letter; in the multi-tile
 * metric, it is a run of equal letters.
 */
export function endsOf(letters: string, metric: Metric): number[] {
  const ends: number[] = [];
  for (let at = 1; at <= letters.length; at++) {
    if (metric === "multi" && at < letters.length && letters[at] === letters[at - 1]) continue;
    ends.push(at);
  }
  return ends;
}

/** The tile of each single move. An impossible move ends the list. */
export function tilesOf(board: readonly number[], columns: number, letters: string): number[] {
  const tiles = [...board];
  const moved: number[] = [];
  for (const way of letters) {
    const blank = tiles.indexOf(0);
    if (!move(tiles, way as Way, columns)) break;
    moved.push(tiles[blank]);
  }
  return moved;
}

/** The board after the single-tile moves `letters`, up to the first impossible move. */
export function boardAfter(
  board: readonly number[],
  columns: number,
  letters: Iterable<string>,
): number[] {
  const tiles = [...board];
  for (const way of letters) if (!move(tiles, way as Way, columns)) break;
  return tiles;
}

/** Text of a move in a list: `U`, `U3`, or the tiles' numbers. */
export function labelsOf(
  letters: string,
  ends: readonly number[],
  tiles: readonly number[],
  notation: Notation,
): string[] {
  return ends.map((end, index) => {
    const begin = index === 0 ? 0 : ends[index - 1];
    if (notation === "numbers") return tiles.slice(begin, end).join(" ");
    const way = letters[begin] as Way;
    const letter = notation === "blank" ? back[way] : way;
    return end - begin > 1 ? `${letter}${end - begin}` : letter;
  });
}

export const ARROWS: Readonly<Record<Way, string>> = { U: "↑", D: "↓", L: "←", R: "→" };

/** Each move as its tiles and their direction: `12←`, or `12 8 4←` for a run. */
export function arrowLabels({
  board,
  columns,
  letters,
  ends,
}: {
  board: readonly number[];
  columns: number;
  letters: string;
  ends: readonly number[];
}): string[] {
  const tiles = tilesOf(board, columns, letters);
  return labelsOf(letters, ends, tiles, "numbers").map(
    (label, index) => label + ARROWS[letters[ends[index] - 1] as Way],
  );
}

/** The opposite single letters, in reverse order, which undo the moves. */
export function reversed(letters: string): string {
  return [...letters]
    .reverse()
    .map((way) => back[way as Way])
    .join("");
}

/** All moves as one text in the form that the package and the command read. */
export function movesText(
  letters: string,
  ends: readonly number[],
  tiles: readonly number[],
  notation: Notation,
): string {
  if (notation === "numbers") return labelsOf(letters, ends, tiles, notation).join(" ");
  const named =
    notation === "blank" ? [...letters].map((way) => back[way as Way]).join("") : letters;
  return groupsOf(named);
}
