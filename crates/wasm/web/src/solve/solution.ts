/** A solution and where it lies in a game. */
import type { Metric, Report, Step } from "sliding-tile-pdb";
import { endsOf, lettersOf, reversed } from "./moves.ts";

/** A step of a strategic solution, as a stretch of the solution's single moves. */
export interface Stretch {
  words: string;
  begin: number;
  end: number;
}

export interface Solution {
  /** The game it belongs to: its first board and its goal. */
  game: string;
  /** The moves of the game when it was found, as single letters. */
  prefix: string;
  /** The board that it solves, in reading order, and its columns. */
  board: readonly number[];
  columns: number;
  metric: Metric;
  /** Its moves as single letters. */
  letters: string;
  /** Where each move ends, in single moves. */
  ends: readonly number[];
  stretches: readonly Stretch[];
  report: Report;
  /** Of moves that a visitor or a link brought: whether they lead to the goal. */
  entered?: { solves: boolean; isFromLink: boolean };
  /** How it compares with the solution that the player left: a sentence. */
  way?: string;
}

/** What a solution is found for: all that must be as it was when the answer comes. */
export interface Question {
  game: string;
  prefix: string;
  board: readonly number[];
  columns: number;
  metric: Metric;
}

export function solutionOf(question: Question, report: Report): Solution {
  const letters = lettersOf(report.moves ?? "");
  return {
    ...question,
    letters,
    ends: endsOf(letters, question.metric),
    stretches: stretchesOf(report.steps ?? []),
    report,
  };
}

/** The number of single moves that a game has made along a solution; `null`: it is elsewhere. */
export function indexIn(solution: Solution, game: string, moves: string): number | null {
  if (solution.game !== game || !moves.startsWith(solution.prefix)) return null;
  const made = moves.slice(solution.prefix.length);
  return solution.letters.startsWith(made) ? made.length : null;
}

function stretchesOf(steps: readonly Step[]): Stretch[] {
  let end = 0;
  return steps.map((step) => {
    const begin = end;
    end += lettersOf(step.moves).length;
    return { words: wordsOf(step), begin, end };
  });
}

/** A step in words: "place tile 5 at row 1 column 2". */
export function wordsOf(step: Step): string {
  const tiles = step.tiles ?? [];
  switch (step.action) {
    case "place":
      return `place tile ${step.tile} at row ${step.row} column ${step.column}`;
    case "corner":
      return `turn tiles ${listOf(tiles)} into their corner together`;
    case "finish":
      return `bring the last tiles into order: ${tiles.join(", ")}`;
    case "slide":
      return "slide the tiles along the line";
  }
}

function listOf(tiles: readonly number[]): string {
  if (tiles.length < 2) return tiles.join("");
  return `${tiles.slice(0, -1).join(", ")} and ${tiles.at(-1)}`;
}

/**
 * Where a game has left a solution: the moves made since, taken back, and then the rest of it. A
 * solution always, if seldom a short one. `null` where the game was never on it.
 */
export function wayBack(solution: Solution, moves: string): string | null {
  if (!moves.startsWith(solution.prefix)) return null;
  const made = moves.slice(solution.prefix.length);
  let common = 0;
  while (common < made.length && made[common] === solution.letters[common]) common++;
  return reversed(made.slice(common)) + solution.letters.slice(common);
}
