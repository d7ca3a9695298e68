/**
 * Searches of one board with each heuristic, one after the other, so that their times are
 * comparable. Results stay until the next searches start.
 */
import type { Laboratory } from "sliding-tile-pdb";
import { announce } from "../common/notice.svelte.ts";
import { boardText } from "sliding-tile-pdb/board-rules";
import { game } from "../game/game.svelte.ts";
import { isCancelled, pageError } from "../solver/error.ts";
import { playback } from "../solve/playback.svelte.ts";
import { search } from "../solve/search.svelte.ts";
import type { Found, Question } from "../solve/solution.ts";
import { text } from "../text/text.svelte.ts";
import { Bench } from "./comparison.svelte.ts";
import { isOptimal } from "./names.ts";

/** The search with one heuristic: nodes so far, or its result. */
export interface Result {
  nodes: number;
  trial?: Trial;
  failure?: string;
}

export interface Ground {
  readonly board: string;
  readonly goal: string;
  readonly question: Question;
}

/** A search ends at this multiple of the nodes of the best search so far. */
const HOPELESS = 100;
/** Node limit of the first search, and smallest limit of all others. */
const FIRST_NODES = 1e9;
const LEAST_NODES = 1e5;
/** Time limit of a search, in milliseconds. */
const MAX_TIME = 60_000;

export class Trials {
  /** Name of the search. */
  search = $state("ida-star");
  results = $state.raw<ReadonlyMap<string, Result>>(new Map());
  ground = $state.raw<Ground | null>(null);
  /** The heuristic of the running search. */
  running = $state<string | null>(null);
  #abort: AbortController | null = null;

  /** Runs a search with each heuristic. The heuristic with the largest value should be first. */
  async run(laboratory: Laboratory, ground: Ground, heuristics: readonly string[]): Promise<void> {
    this.cancel();
    const abort = new AbortController();
    this.#abort = abort;
    this.ground = ground;
    this.results = new Map();
    const { board, goal } = ground;
    let maxNodes = FIRST_NODES;
    for (const heuristic of heuristics) {
      if (abort.signal.aborted) return;
      this.running = heuristic;
      const set = (result: Result) => {
        if (!abort.signal.aborted) this.results = new Map(this.results).set(heuristic, result);
      };
      const request = { board, goal, heuristic, search: this.search, maxNodes };
      try {
        const trial = await runTrial(laboratory, request, abort.signal, (nodes) => set({ nodes }));
        set({ nodes: trial.nodes, trial });
        if (trial.limit === undefined) {
          maxNodes = Math.min(maxNodes, Math.max(LEAST_NODES, HOPELESS * trial.nodes));
        }
      } catch (error) {
        if (!isCancelled(error)) set({ nodes: 0, failure: pageError(error).text });
      }
    }
    if (abort.signal.aborted) return;
    this.running = null;
    announce(text.laboratory.searched);
  }

  /** Call when the search is another: its results are not those of the search before. */
  clear(): void {
    this.cancel();
    this.results = new Map();
  }

  /** Ends the running search; results so far stay. */
  cancel(): void {
    this.#abort?.abort();
    this.running = null;
  }
}

export const trials = new Trials();
/** The worker of the board's values and searches. */
export const bench = new Bench();

export const groundNow = (): Ground => ({
  board: game.text,
  goal: game.goalText,
  // Textbook searches count single-tile moves, whatever metric the solver has.
  question: { ...search.ask(), metric: "single" },
});

/** Whether results apply: the game is at their board, or on a solution that begins there. */
export function isCurrent({ board, goal }: Ground): boolean {
  const { solution, index } = playback;
  const played = solution && index !== null && boardText(solution.board, solution.columns);
  return goal === game.goalText && (board === game.text || board === played);
}

/** Plays the path found with a heuristic. */
export function playTrial(ground: Ground, trial: Trial): void {
  game.seek(ground.question.prefix.length);
  search.adopt(ground.question, foundOf(trial));
  playback.play();
}

type TrialRequest = Record<"board" | "goal" | "heuristic" | "search", string> & {
  maxNodes: number;
};

export interface Trial {
  /** `none` for searches without a heuristic. */
  heuristic: string;
  search: string;
  /** The limit that stopped the search without a solution. */
  limit?: "nodes" | "memory" | "time";
  length?: number;
  moves?: string;
  h0: number;
  nodes: number;
  expanded: number;
  ms: number;
}

/** Creates the heuristic and runs the search. @throws CancelledError, InputError, MemoryError */
async function runTrial(
  laboratory: Laboratory,
  { board, goal, heuristic, search, maxNodes }: TrialRequest,
  signal: AbortSignal,
  onProgress: (nodes: number) => void,
): Promise<Trial> {
  const [record] = await laboratory.compare({
    boards: [board],
    goal,
    heuristics: [heuristic],
    searches: [search],
    maxTime: MAX_TIME,
    maxNodes,
    signal,
    onProgress: ({ generated }) => {
      if (!signal.aborted) onProgress(generated);
    },
  });
  const { limit, length, moves, h0, generated: nodes, expanded, ms } = record;
  return {
    heuristic: record.heuristic,
    search,
    ...(length === undefined ? { limit: limit ?? "time" } : { length, moves }),
    ...{ h0, nodes, expanded, ms },
  };
}

/** A trial's solution in the form of a solver report. */
export function foundOf({ heuristic, search, ...trial }: Trial): Found {
  const { length = 0, moves = "", h0, nodes, expanded, ms } = trial;
  const proved = isOptimal(search);
  return {
    status: "solved",
    search,
    tables: heuristic,
    ...{ length, moves, h0, nodes, expanded, ms, proved },
    bound: proved ? length : h0,
  };
}
