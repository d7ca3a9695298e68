/**
 * A forecast for searches with growing bounds, from the growth of nodes per bound. The search tells
 * only how far it is now, so bounds that end between two reports count as one.
 */

/** Progress of the search. Of a bound that is being searched, no shorter solution exists. */
export interface SearchState {
  bound: number;
  nodes: number;
  ms: number;
}

export interface Forecast {
  /** The bound that will be proved next. */
  bound: number;
  /** Milliseconds until then; 0 where it already takes longer than the forecast. */
  ms: number;
  /** Milliseconds until it is proved that no solution is shorter than the best one. */
  proof: number | null;
}

interface Iteration {
  bound: number;
  nodes: number;
}

/** Iterations that end sooner are not measured: reports come every 100 ms. */
const LEAST_MS = 300;
/** Iterations whose growth is averaged. */
const MOST_ITERATIONS = 4;
/** Nodes never grow by less: a smaller measured value is noise, and would promise too much. */
const LEAST_GROWTH = 1.5;

export class NodeGrowth {
  /** Start of the present bound. */
  #begin: SearchState | null = null;
  #now: SearchState | null = null;
  /** Iterations that were measured, one after the other. */
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

  /** `best`: the length of the best solution. `null`: too few bounds were measured. */
  forecast(best?: number): Forecast | null {
    const [begin, now, first, last] = [this.#begin, this.#now, this.#ended[0], this.#ended.at(-1)];
    if (!begin || !now || !first || !last || first === last || now.ms <= 0) return null;
    const count = this.#ended.length - 1;
    const growth = Math.max(LEAST_GROWTH, (last.nodes / first.nodes) ** (1 / count));
    const step = (last.bound - first.bound) / count;
    const rate = now.nodes / now.ms;
    let nodes = last.nodes * growth;
    const ms = Math.max(0, nodes - (now.nodes - begin.nodes)) / rate;
    // Each further iteration, up to the one before the length of the best solution.
    let proof = ms;
    for (let bound = begin.bound + step; best !== undefined && bound < best; bound += step) {
      nodes *= growth;
      proof += nodes / rate;
    }
    return { bound: begin.bound + Math.round(step), ms, proof: best === undefined ? null : proof };
  }
}
