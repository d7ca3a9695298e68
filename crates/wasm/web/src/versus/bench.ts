/** The laboratory of the Solve panel: one worker for all of its textbook searches. */
import { Bench } from "../laboratory/bench.ts";

export const bench = new Bench();

/** To be called after a search. Memory of WebAssembly never shrinks: it goes with the worker. */
export function afterSearch(search: string): void {
  // IDA* keeps no nodes, and the worker keeps the tables of its heuristics.
  if (search !== "ida-star") bench.close();
}
