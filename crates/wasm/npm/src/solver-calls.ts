/** Calls of a solver in WebAssembly. */
import type { JsonSolver, Loader } from "../wasm/sliding_tile_pdb.js";
import type { Bytes } from "./address.js";
import { TableError } from "./error.js";
import type { SolverBindings } from "./glue.js";
import { ModuleCalls } from "./module-calls.js";
import type { Request, SolverInfo, SolverOperations, TableFiles } from "./protocol.js";
import type { Hint, Probe, Rating, Report, Solution, TableInfo, TableProgress } from "./types.js";

/** Milliseconds between two progress events. */
const SPACING = 100;

/** Calls that create and use a solver; at most one solver exists at a time. */
export class SolverCalls extends ModuleCalls<SolverBindings> implements SolverOperations {
  readonly #threads: number;
  #loader: Loader | undefined;
  #solver: JsonSolver | undefined;

  constructor(bindings: SolverBindings, threads: number) {
    super(bindings);
    this.#threads = threads;
  }

  sha256(bytes: Bytes): string {
    return this.bindings.sha256(bytes);
  }

  open(request: Request): TableFiles {
    this.close();
    this.#loader = new this.bindings.Loader(JSON.stringify(request));
    const [needed, others] = JSON.parse(this.#loader.files()) as [string[], string[]];
    return { needed, others };
  }

  add(bytes: Bytes): string {
    return this.#opened().add(bytes);
  }

  build(): void {
    this.#opened().build((text: string) => {
      this.onEvent({ type: "tables", progress: JSON.parse(text) as TableProgress });
    });
  }

  finish(): SolverInfo {
    const loader = this.#opened();
    // The call consumes the loader even if it fails.
    this.#loader = undefined;
    this.#solver = loader.finish();
    return JSON.parse(this.#solver.info()) as SolverInfo;
  }

  openOtherGoals(): void {
    this.#made().open_other_goals();
  }

  memory(): number {
    return this.bindings.memory_bytes();
  }

  solve(board: string, request: Request): Solution {
    const text = this.#made().solve(board, this.#limited(request), this.#searchListener());
    return JSON.parse(text) as Solution;
  }

  allSolutions(board: string, request: Request): Report {
    const listener = this.#searchListener();
    return JSON.parse(
      this.#made().all_solutions(board, this.#limited(request), listener),
    ) as Report;
  }

  hint(board: string, request: Request): Hint {
    const text = this.#made().hint(board, this.#limited(request), this.#searchListener());
    return JSON.parse(text) as Hint;
  }

  rate(board: string, moves: string, request: Request): Rating {
    const listener = this.#searchListener();
    return JSON.parse(this.#made().rate(board, moves, this.#limited(request), listener)) as Rating;
  }

  probe(board: string): Probe {
    return JSON.parse(this.#made().probe(board)) as Probe;
  }

  verify(): TableInfo[] {
    const text = this.#made().verify((text: string) => {
      this.onEvent({ type: "tables", progress: JSON.parse(text) as TableProgress });
    });
    return JSON.parse(text) as TableInfo[];
  }

  table(file: string): Bytes {
    return this.#made().table(file) as Bytes;
  }

  /** Frees the tables. */
  close(): void {
    this.#loader?.free();
    this.#solver?.free();
    this.abandon();
  }

  abandon(): void {
    this.#loader = this.#solver = undefined;
  }

  #opened(): Loader {
    if (!this.#loader) throw new TableError("no tables are being loaded");
    return this.#loader;
  }

  #made(): JsonSolver {
    if (!this.#solver) throw new TableError("there is no solver yet");
    return this.#solver;
  }

  /**
   * Limits the requested number of threads to the available threads. By default, and for 0, all
   * available threads are used.
   */
  #limited(request: Request): string {
    const wanted = Number(request["threads"] ?? 0) || this.#threads;
    return JSON.stringify({ ...request, threads: Math.min(wanted, this.#threads) });
  }

  /**
   * Receives the events of a search: better solutions immediately, progress about ten times per
   * second.
   */
  #searchListener(): (text: string) => void {
    let next = 0;
    let best: Solution | undefined;
    return (text) => {
      const event = JSON.parse(text) as SearchEvent;
      if (event.type === "improved") {
        best = event.report;
        this.onEvent({ type: "improved", report: best });
        return;
      }
      const now = performance.now();
      if (now < next) return;
      next = now + SPACING;
      const { bound, nodes, ms } = event;
      const rate = ms > 0 ? (1000 * nodes) / ms : 0;
      const progress = { bound, nodes, rate, ms, ...(best ? { best } : {}) };
      this.onEvent({ type: "search", progress });
    };
  }
}

type SearchEvent =
  | { type: "progress"; bound: number; nodes: number; ms: number }
  | { type: "improved"; report: Solution };
