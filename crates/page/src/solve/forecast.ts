/**
 * A forecast for searches with growing bounds, from the growth of nodes per bound. The search
 * reports its state at intervals. If several bounds end within one interval, they count as one
 * bound.
 */

/** Progress of the search. No solution is shorter than the bound that is being searched. */
export interface SearchState {
  bound: number;
  nodes: number;
  ms: number;
}

export interface Forecast {
  /** The next bound to be proved. */
  bound: number;
  /** Milliseconds until this bound is proved; 0 if the proof already takes longer than forecast. */
  ms: number;
  /** Milliseconds until the best solution is proved optimal. */
  proof: number | null;
}

interface Iteration {
  bound: number;
  nodes: number;
}

/**
 * Minimum duration of a measured iteration, in milliseconds. The search reports every 100 ms, so
 * the nodes of shorter iterations would be inexact.
 */
const LEAST_MS = 300;
/** Number of iterations for the average growth. */
const MOST_ITERATIONS = 4;
/**
 * Minimum growth of nodes; smaller measured values are noise and would make the forecast too short.
 */
const LEAST_GROWTH = 1.5;

export class NodeGrowth {
  /** State of the search when the current bound began. */
  #begin: SearchState | null = null;
  #now: SearchState | null = null;
  /** Consecutive measured iterations. */
  #ended: Iteration[] = [];

  hear({ bound, nodes, ms }: SearchState): void {
    const now = { bound, nodes, ms };
    const begin = this.#begin;
    this.#now = now;
    if (begin === null) this.#begin = now;
    if (begin === null || bound <= begin.bound) return;
    if (ms - begin.ms >= LEAST_MS) {
      this.#ended.push({ bound: begin.bound, nodes: nodes - begin.nodes });
      if (this.#ended.length > MOST_ITERATIONS) this.#ended.shift();
    } else this.#ended = [];
    this.#begin = now;
  }

  /**
   * The forecast; `null` if too few bounds were measured. `best` is the length of the best
   * solution.
   */
  forecast(best?: number): Forecast | null {
    const [begin, now, first, last] = [this.#begin, this.#now, this.#ended[0], this.#ended.at(-1)];
    if (!begin || !now || !first || !last || first === last || now.ms <= 0) return null;
    const count = this.#ended.length - 1;
    const growth = Math.max(LEAST_GROWTH, (last.nodes / first.nodes) ** (1 / count));
    const step = (last.bound - first.bound) / count;
    const rate = now.nodes / now.ms;
    let nodes = last.nodes * growth;
    const ms = Math.max(0, nodes - (now.nodes - begin.nodes)) / rate;
    // The proof also needs every later iteration whose bound is below the best solution's length.
    let proof = ms;
    for (let bound = begin.bound + step; best !== undefined && bound < best; bound += step) {
      nodes *= growth;
      proof += nodes / rate;
    }
    return { bound: begin.bound + Math.round(step), ms, proof: best === undefined ? null : proof };
  }
}
