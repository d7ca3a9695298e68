/** The content of the print sheet: the solution if there is one, or only the board. */
import { game } from "../game/game.svelte.ts";
import { picture } from "../picture/picture.svelte.ts";
import { outcomeOf } from "../solve/outcome.ts";
import { playback } from "../solve/playback.svelte.ts";
import type { Solution, Stretch } from "../solve/solution.ts";
import { text } from "../text/text.svelte.ts";
import { type Block, ROW, blocksOf, spacing } from "./plan.ts";

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

/** Length of the solution, and whether the solution is proved optimal. */
export function lengthText({ report, longer }: Solution): string {
  return outcomeOf(report, { longer }).text;
}

export function metricText({ metric }: Solution): string {
  return metric === "multi" ? text.paper.runs : text.paper.singles;
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
  const every = spacing(solution.ends.length, solution.board.length);
  return {
    ...shared,
    title: text.paper.solutionTitle(size),
    facts: [
      lengthText(solution),
      metricText(solution),
      text.paper.reading,
      every > ROW ? text.paper.fewDrawings(every) : text.paper.drawings(every),
    ],
    board: solution.board,
    blocks: blocksOf(solution, every),
    stretches: solution.stretches,
    isMulti: solution.metric === "multi",
  };
}
