/** The laboratory of the Solve panel: one worker for all of its textbook searches. */
import { Bench } from "../laboratory/bench.ts";

export const bench = new Bench();

let running = 0;
let isLarge = false;

/**
 * Call this function when a search starts, and the returned function when the search ends. Memory
 * of WebAssembly never shrinks, so after searches that store nodes the idle worker is ended. After
 * IDA* the worker stays, with the tables of its heuristics.
 */
export function beginSearch(search: string): () => void {
  running++;
  if (search !== "ida-star") isLarge = true;
  return () => {
    running--;
    if (running > 0 || !isLarge) return;
    isLarge = false;
    bench.close();
  };
}
