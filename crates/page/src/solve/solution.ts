/** A solution, and its position in a game. */
import type { Metric, Report, SearchProgress, Step } from "sliding-tile-pdb";
import { text } from "../text/text.svelte.ts";
import { endsOf, lettersOf, reversed } from "./moves.ts";
import { heuristicTitle, searchTitle } from "../laboratory/names.ts";
import { countText, listText, movesText, nodesCount, timeText } from "../common/format.ts";

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
      return steps.corner(listText(tiles));
    case "finish":
      return steps.finish(tiles.join(", "));
    case "slide":
      return steps.slide;
  }
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

/** Texts for the outcome of a search. */
export interface Outcome {
  tone: "good" | "plain" | "bad";
  /** One or two sentences. */
  text: string;
  /** Numbers: time and nodes. */
  detail: string;
}

/** Outcome of a search with an answer. `longer` is the number of moves lost by a detour. */
export function outcomeOf(report: Found, notes: { longer?: number; end?: string } = {}): Outcome {
  const { solve } = text;
  const name = report.search === undefined ? "" : `${searchTitle(report.search)}: `;
  const parts = [name + lengthOf(report)];
  if (report.count === 1) parts.push(solve.onlyOne);
  else if (report.count !== undefined) parts.push(solve.ofThem(countText(report.count)));
  if (notes.longer !== undefined) parts.push(detourText(notes.longer));
  if (notes.end !== undefined) parts.unshift(notes.end);
  return {
    tone: report.proved ? "good" : "plain",
    text: parts.join(" "),
    detail: detailOf(report),
  };
}

/** Outcome of moves that the visitor entered or a link contains. */
export function outcomeOfEntered(
  moves: number,
  { solves, isFromLink }: { solves: boolean; isFromLink: boolean },
  isAtStart: boolean,
): Outcome {
  const { linkHasSolution, linkHasMoves, movesSolve, movesEnd } = text.game;
  const [solution, others] =
    isFromLink && isAtStart ? [linkHasSolution, linkHasMoves] : [movesSolve, movesEnd];
  const words = (solves ? solution : others)(moves);
  return { tone: "plain", text: words, detail: "" };
}

/** A sentence with the length of the solution and the proved bound. */
function lengthOf(report: Found): string {
  const { solve } = text;
  const moves = movesText(report.length ?? 0);
  if (report.proved) return solve.isOptimal(moves);
  // The bound of a strategic solution is far below what other searches prove.
  const bound = report.mode === "strategic" ? 0 : (report.bound ?? report.h0 ?? 0);
  return bound > 0 ? solve.atLeast(moves, countText(bound)) : solve.mayBeLonger(moves);
}

function detourText(longer: number): string {
  const { solve } = text;
  if (longer === 0) return solve.wayAsShort;
  const moves = countText(Math.abs(longer));
  return longer > 0 ? solve.wayLonger(moves) : solve.wayShorter(moves);
}

function detailOf(report: Found): string {
  const parts: string[] = [];
  if (report.tables && report.mode !== "strategic") parts.push(heuristicTitle(report.tables));
  if (report.search !== undefined && report.h0 !== undefined) parts.push(`h ${report.h0}`);
  if (report.nodes) parts.push(nodesCount(report.nodes));
  if (report.ms !== undefined) parts.push(timeText(report.ms));
  return parts.join(" · ");
}

/** Outcome of a search that was cancelled or reached a limit without an answer. */
export function outcomeWithout(start: string, live: SearchProgress | null): Outcome {
  const bound = live && live.bound > 0 ? ` ${text.solve.noneShorter(movesText(live.bound))}` : "";
  const detail = live ? detailOf({ status: "limit", ms: live.ms, nodes: live.nodes }) : "";
  return { tone: "plain", text: `${start}${bound}`, detail };
}
