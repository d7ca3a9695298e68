/** A solver that is being created, is ready, or failed. */
import type { Metric, Solver, SolverOptions, TableInfo, TableProgress } from "sliding-tile-pdb";
import { text } from "../text/text.svelte.ts";
import { type PageError, pageError, isCancelled } from "./error.ts";
import { BUILD_TIME, NO_TABLES } from "./choice.ts";

/** A request for a solver. Requests with the same key share a solver. */
export interface Request {
  key: string;
  size: string;
  goal: string;
  metric: Metric;
  /** `undefined`: the package's default for the size. */
  partition: string | undefined;
}

export type Maker = (options: SolverOptions) => Promise<Solver>;

/**
 * Maximum number of threads; with more, the workers of cached solvers would use more memory than
 * the tables.
 */
const MOST_THREADS = 8;

/** Whether this build of the page has the module for several threads; set by vite.config.ts. */
declare const __THREADS__: boolean;

/**
 * Number of threads of a solver: one per core, up to `MOST_THREADS`. One thread if the page cannot
 * share memory between workers.
 */
function threads(): number {
  if (!__THREADS__ || !globalThis.crossOriginIsolated) return 1;
  return Math.min(navigator.hardwareConcurrency || 1, MOST_THREADS);
}

export class Entry {
  readonly request: Request;
  progress = $state.raw<TableProgress | null>(null);
  solver = $state.raw<Solver | null>(null);
  tables = $state.raw<readonly TableInfo[]>([]);
  failure = $state.raw<PageError | null>(null);
  /** Bytes of WebAssembly memory at the last query. */
  memory = $state(0);
  /** The solver; rejects if it cannot be created. */
  readonly ready: Promise<Solver>;

  #abort = new AbortController();
  #isClosed = false;

  constructor(request: Request, make: Maker) {
    this.request = request;
    this.ready = this.#make(make);
    // A caller that awaits `ready` receives the error; `failure` stores it in any case.
    this.ready.catch(() => undefined);
  }

  get isMaking(): boolean {
    return this.solver === null && this.failure === null;
  }

  async #make(make: Maker): Promise<Solver> {
    const { size, goal, metric, partition } = this.request;
    const isWithout = partition === NO_TABLES;
    try {
      const solver = await make({
        size,
        goal,
        metric,
        ...(partition === undefined
          ? { maxBuildTime: BUILD_TIME }
          : isWithout
            ? {}
            : { partition }),
        tables: isWithout ? "none" : "build",
        // Tables for searches from the goal are built later, so the first answer does not wait.
        bothSides: false,
        threads: threads(),
        signal: this.#abort.signal,
        onProgress: (progress) => {
          if (!this.#isClosed) this.progress = progress;
        },
      });
      if (this.#isClosed) {
        solver.close();
        throw new DOMException("the solver was closed", "AbortError");
      }
      this.solver = solver;
      this.tables = solver.tables;
      this.progress = null;
      void this.measure();
      return solver;
    } catch (error) {
      this.progress = null;
      this.failure = isCancelled(error)
        ? { code: "cancelled", text: text.errors.tablesCancelled }
        : pageError(error);
      throw error;
    }
  }

  /** Builds the tables of other goal cells. The next request to the solver stops the build. */
  async openOtherGoals(signal: AbortSignal): Promise<void> {
    try {
      await this.solver?.openOtherGoals({ signal });
    } catch {
      // The build was cancelled or the solver was closed. Without these tables, searches begin at
      // the board, never at the goal.
    }
    await this.measure();
  }

  /** Queries the memory of the solver. */
  async measure(): Promise<void> {
    try {
      this.memory = (await this.solver?.memory()) ?? 0;
    } catch {
      // The solver was closed in the meantime, so its memory no longer matters.
    }
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#abort.abort();
    this.solver?.close();
  }
}
