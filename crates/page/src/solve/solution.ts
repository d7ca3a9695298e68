/** A solution, and its position in a game. */
import type { Metric, Report, Step } from "sliding-tile-pdb";
import { text } from "../text/text.svelte.ts";
import { endsOf, lettersOf, reversed } from "./moves.ts";

/**
 * The report of the solver or of a textbook search. `search` is the name of the textbook search.
 */
export interface Found extends Report {
  search?: string;
}

/** A step of a strategic solution, as a range of single moves. */
export interface Stretch {
  readonly words: string;
  begin: number;
  end: number;
}

export interface Solution {
  /** The game: its start and its goal. */
  game: string;
  /** The moves of the game before the solution, as single letters. */
  prefix: string;
  /** The board that the solution solves, in reading order. */
  board: readonly number[];
  columns: number;
  metric: Metric;
  /** The moves as single letters. */
  letters: string;
  /** For each move, the number of letters up to its end. */
  ends: readonly number[];
  stretches: readonly Stretch[];
  report: Found;
  /** Set for moves that the visitor typed or a link contained; `solves`: they solve the board. */
  entered?: { solves: boolean; isFromLink: boolean };
  /**
   * Moves lost by the player's detour: the moves made since the first solution plus the moves of
   * this solution, minus the moves of the first solution.
   */
  longer?: number;
}

/** The game and board of a search. An answer is used only if the game has not changed since. */
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

/**
 * The number of a solution's single moves that the game has made; `null` if the game is not on the
 * path of the solution.
 */
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
 * A solution for a game that has left the path of `solution`: it returns to the last board on the
 * path, and then follows the path to the goal. It is rarely short. `null` if the game was never on
 * the path.
 */
export function wayBack(solution: Solution, moves: string): string | null {
  if (!moves.startsWith(solution.prefix)) return null;
  const made = moves.slice(solution.prefix.length);
  let common = 0;
  while (common < made.length && made[common] === solution.letters[common]) common++;
  return reversed(made.slice(common)) + solution.letters.slice(common);
}
