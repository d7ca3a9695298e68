/** A solution and where it lies in a game. */
import type { Iteration, Metric, Report, Step } from "sliding-tile-pdb";
import { text } from "../text/text.svelte.ts";
import { endsOf, lettersOf, reversed } from "./moves.ts";

/** A report of the solver, or of a textbook search, whose name it then has. */
export interface Found extends Report {
  search?: string;
  iterations?: (Iteration & { ms?: number })[];
}

/** A step of a strategic solution, as a stretch of the solution's single moves. */
export interface Stretch {
  readonly words: string;
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
  /** Ends of the moves, in single moves. */
  ends: readonly number[];
  stretches: readonly Stretch[];
  report: Found;
  /** Of moves that a visitor or a link brought: whether they lead to the goal. */
  entered?: { solves: boolean; isFromLink: boolean };
  /** Moves that the player's way is longer than the solution that it left. */
  longer?: number;
}

/** Conditions that must still hold when the answer of a search comes. */
export interface Question {
  game: string;
  prefix: string;
  board: readonly number[];
  columns: number;
  metric: Metric;
}

export function solutionOf(question: Question, report: Found): Solution {
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
    return {
      get words() {
        return wordsOf(step);
      },
      begin,
      end,
    };
  });
}

/** A step in words: "place tile 5 at row 1 column 2". */
export function wordsOf(step: Step): string {
  const { steps } = text.solve;
  const tiles = step.tiles ?? [];
  switch (step.action) {
    case "place":
      return steps.place(step.tile ?? 0, step.row ?? 0, step.column ?? 0);
    case "corner":
      return steps.corner(listOf(tiles));
    case "finish":
      return steps.finish(tiles.join(", "));
    case "slide":
      return steps.slide;
  }
}

function listOf(tiles: readonly number[]): string {
  if (tiles.length < 2) return tiles.join("");
  return text.solve.and(tiles.slice(0, -1).join(", "), String(tiles.at(-1)));
}

/**
 * The way back after a game has left a solution: the moves made since, taken back, and then the rest
 * of it. Always a solution, but seldom a short one. `null` where the game was never on it.
 */
export function wayBack(solution: Solution, moves: string): string | null {
  if (!moves.startsWith(solution.prefix)) return null;
  const made = moves.slice(solution.prefix.length);
  let common = 0;
  while (common < made.length && made[common] === solution.letters[common]) common++;
  return reversed(made.slice(common)) + solution.letters.slice(common);
}
