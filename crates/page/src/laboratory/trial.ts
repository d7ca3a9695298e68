/** One textbook search with one heuristic on one board. */
import type { Laboratory } from "sliding-tile-pdb";
import { isOptimal } from "./names.ts";
import type { Found } from "../solve/solution.ts";

export interface TrialRequest {
  board: string;
  goal: string;
  heuristic: string;
  search: string;
  /** Time limit in milliseconds. */
  maxTime: number;
  maxNodes: number;
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
}

/** Creates the heuristic and runs the search. @throws CancelledError, InputError, MemoryError */
export async function runTrial(
  laboratory: Laboratory,
  { board, goal, heuristic, search, maxTime, maxNodes }: TrialRequest,
  signal: AbortSignal,
  onProgress: (nodes: number) => void = () => undefined,
): Promise<Trial> {
  const [record] = await laboratory.compare({
    boards: [board],
    goal,
    heuristics: [heuristic],
    searches: [search],
    maxTime,
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
    bound: proved ? length : Math.max(h0, Math.ceil(length / weightOf(search))),
  };
}

/** Maximum length of the search's solution, as a multiple of the length of a shortest solution. */
function weightOf(search: string): number {
  const [, weight] = /^weighted-astar:([\d.]+)$/.exec(search) ?? [];
  return weight === undefined ? Infinity : Number(weight);
}
