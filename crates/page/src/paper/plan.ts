/** Content and layout of the print sheet: the board, and a solution with its moves and steps. */
import { arrowLabels, boardAfter } from "../solve/moves.ts";
import { outcomeOf, type Solution, type Stretch } from "../solve/solution.ts";
import { game } from "../game/game.svelte.ts";
import { picture } from "../picture/picture.svelte.ts";
import { playback } from "../solve/playback.svelte.ts";
import { text } from "../text/text.svelte.ts";

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
  let [tiles, single] = [board, 0];
  const drawings: Drawing[] = [];
  ends.forEach((end, index) => {
    const made = index + 1;
    if (made % every !== 0 && made !== ends.length) return;
    tiles = boardAfter(tiles, columns, letters.slice(single, end));
    single = end;
    drawings.push({ made, tiles });
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

export interface SheetContent {
  title: string;
  /** One sentence per element. */
  facts: readonly string[];
  board: readonly number[];
  goal: readonly number[];
  columns: number;
  /** The address of the picture on the tiles. */
  url: string | null;
  blocks: readonly Block[];
  stretches: readonly Stretch[];
  /** Whether a move can slide several tiles. */
  isMulti: boolean;
}

export function contentNow(): SheetContent {
  const { solution } = playback;
  const { goal, columns, size } = game;
  const shared = { goal, columns, url: picture.url };
  if (solution === null || solution.ends.length === 0) {
    return {
      ...shared,
      title: text.paper.boardTitle(size),
      facts: [game.isSolved ? text.paper.solved : text.paper.unsolved],
      board: game.tiles,
      blocks: [],
      stretches: [],
      isMulti: false,
    };
  }
  const isMulti = solution.metric === "multi";
  const every = spacing(solution.ends.length, solution.board.length);
  return {
    ...shared,
    title: text.paper.solutionTitle(size),
    facts: [
      outcomeOf(solution.report, solution).text,
      isMulti ? text.paper.runs : text.paper.singles,
      text.paper.reading,
      every > ROW ? text.paper.fewDrawings(every) : text.paper.drawings(every),
    ],
    board: solution.board,
    blocks: blocksOf(solution, every),
    stretches: solution.stretches,
    isMulti,
  };
}
