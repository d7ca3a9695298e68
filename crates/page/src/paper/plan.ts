/** Layout of a solution on paper: its moves in rows, its steps, and the drawn boards. */
import { arrowLabels } from "../solve/moves.ts";
import type { Solution } from "../solve/solution.ts";
import { from, type Way } from "../game/rules.ts";

/** Number of moves per row. */
export const ROW = 10;

/** Maximum number of drawings of a solution. */
const MOST_DRAWINGS = 60;
/** Maximum number of cells in all drawings of a solution together. */
const MOST_CELLS = 6000;

/** A row of moves; `number` is the number of its first move, counted from 1. */
export interface Row {
  number: number;
  moves: readonly string[];
}

/** The board after a number of moves. */
export interface Drawing {
  made: number;
  tiles: readonly number[];
}

/**
 * Consecutive moves. A new step begins only at the first of them, and a drawing follows only the
 * last.
 */
export interface Block {
  /**
   * Numbers, from 1, of the steps that begin at the first move. If several begin there, all except
   * the last have no moves.
   */
  steps: readonly number[];
  rows: readonly Row[];
  drawing: Drawing | null;
}

/** Number of moves between two drawings: 10, 20, 50, 100 ..., to limit the number of drawings. */
export function spacing(moves: number, cells: number): number {
  const most = Math.max(1, Math.min(MOST_DRAWINGS, Math.floor(MOST_CELLS / cells)));
  for (let unit = ROW; ; unit *= 10) {
    const found = [unit, 2 * unit, 5 * unit].find((every) => Math.ceil(moves / every) <= most);
    if (found !== undefined) return found;
  }
}

/** One drawing after each `every` moves, and one of the last board. */
export function drawingsOf(solution: Solution, every: number): Drawing[] {
  const { board, columns, letters, ends } = solution;
  const tiles = [...board];
  let blank = tiles.indexOf(0);
  let single = 0;
  const drawings: Drawing[] = [];
  ends.forEach((end, index) => {
    for (; single < end; single++) {
      const cell = from(blank, letters[single] as Way, columns, tiles.length);
      tiles[blank] = tiles[cell];
      tiles[cell] = 0;
      blank = cell;
    }
    const made = index + 1;
    if (made % every === 0 || made === ends.length) drawings.push({ made, tiles: [...tiles] });
  });
  return drawings;
}

/** Number of moves before each step. A run that belongs to two steps is counted in the first. */
export function stepStarts({ stretches, ends }: Solution): number[] {
  let made = 0;
  return stretches.map(({ begin }) => {
    // The index stays below the number of moves, so that every step begins at a move.
    while (made < ends.length - 1 && (ends[made - 1] ?? 0) < begin) made++;
    return made;
  });
}

/** Divides the moves into blocks, and each block into rows of at most `ROW` moves. */
export function blocksOf(solution: Solution, every: number): Block[] {
  const labels = arrowLabels(solution);
  const drawings = new Map(drawingsOf(solution, every).map((each) => [each.made, each]));
  const steps = new Map<number, number[]>();
  stepStarts(solution).forEach((made, index) =>
    steps.set(made, [...(steps.get(made) ?? []), index + 1]),
  );
  const blocks: Block[] = [];
  let begin = 0;
  for (let made = 1; made <= labels.length; made++) {
    const drawing = drawings.get(made) ?? null;
    if (drawing === null && !steps.has(made)) continue;
    const rows: Row[] = [];
    for (let at = begin; at < made; at += ROW) {
      rows.push({ number: at + 1, moves: labels.slice(at, Math.min(made, at + ROW)) });
    }
    blocks.push({ steps: steps.get(begin) ?? [], rows, drawing });
    begin = made;
  }
  return blocks;
}
