/** One textbook search with one heuristic on one board. */
import type { Laboratory } from "sliding-tile-pdb";
import { isOptimal } from "../laboratory/names.ts";
import type { Found } from "../solve/solution.ts";

export interface TrialRequest {
  board: string;
  goal: string;
  heuristic: string;
  search: string;
  /** Time limit in milliseconds. */
  maxTime: number;
}

/** One iteration of IDA*: a depth-first search with one bound. */
export interface Iteration {
  bound: number;
  nodes: number;
  expanded: number;
  ms: number;
}

/** Progress of a search. `bound` is 0 except for IDA*. */
export interface TrialProgress {
  nodes: number;
  ms: number;
  bound: number;
  iterations: readonly Iteration[];
}

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
  iterations: readonly Iteration[];
}

/**
 * Node limit that no search reaches within the visitor's time limit. Some searches would reach the
 * package's default node limit.
 */
const MAX_NODES = 1e15;

/** Creates the heuristic and runs the search. @throws CancelledError, InputError, MemoryError */
export async function runTrial(
  laboratory: Laboratory,
  { board, goal, heuristic, search, maxTime }: TrialRequest,
  signal: AbortSignal,
  onProgress: (progress: TrialProgress) => void = () => undefined,
): Promise<Trial> {
  let iterations: readonly Iteration[] = [];
  let lastEnd = 0;
  const [record] = await laboratory.compare({
    boards: [board],
    goal,
    heuristics: [heuristic],
    searches: [search],
    maxTime,
    maxNodes: MAX_NODES,
    signal,
    onProgress: ({ generated: nodes, ms, bound, ended }) => {
      if (ended) {
        const own = { bound, nodes: ended.generated, expanded: ended.expanded, ms: ms - lastEnd };
        iterations = [...iterations, own];
        lastEnd = ms;
      }
      if (!signal.aborted) onProgress({ nodes, ms, bound, iterations });
    },
  });
  const { limit, length, moves, h0, generated: nodes, expanded, ms } = record;
  return {
    heuristic: record.heuristic,
    search,
    ...(length === undefined ? { limit: limit ?? "time" } : { length, moves }),
    ...{ h0, nodes, expanded, ms, iterations },
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
    bound: proved ? length : Math.max(h0, Math.ceil(length / weightOf(search))),
    iterations: [...trial.iterations],
  };
}

/** Maximum length of the search's solution, as a multiple of the length of a shortest solution. */
function weightOf(search: string): number {
  const [, weight] = /^weighted-astar:([\d.]+)$/.exec(search) ?? [];
  return weight === undefined ? Infinity : Number(weight);
}
