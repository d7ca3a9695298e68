/** Creates solvers. A solver and its tables are in a separate thread. */
import { Channel, unexpected, type Workshop } from "./channel.js";
import type { Event, TablesInfo } from "./contract.js";
import { CancelledError, InputError, PuzzleError, cancelledBy } from "./error.js";
import { Recipe, type RecipeTools } from "./recipe.js";
import { describe, movesText, optionsOf, requestOf, tell, type Request } from "./request.js";
import { opener, type Thread } from "./thread.js";
import type { AdviceOptions, AllSolutionsOptions, Hint, Probe, Rating } from "./types.js";
import type { Board, BoardLike, Metric, MovesLike, TableInfo } from "./types.js";
import type { ListEntry, Report, Solution, SolveListOptions } from "./types.js";
import type { SolveOptions, SolverOptions } from "./types.js";

/**
 * Creates a solver for a goal: starts a worker, and builds, loads or downloads the tables.
 *
 * Downloads one WebAssembly file of this package and, if `tables` is a URL, the tables.
 *
 * @example
 * ```ts
 * const solver = await createSolver({ size: "4x4", partition: "6-6-3" });
 * const report = await solver.solve("5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13");
 * console.log(report.length, report.moves); // 55 and the moves
 * solver.close();
 * ```
 *
 * @throws InputError for invalid options, TableError for tables that are damaged or of another
 * puzzle, DownloadError, MemoryError if the tables do not fit, UnsupportedError without WebAssembly
 * or if workers are forbidden, CancelledError.
 */
export async function createSolver(options: SolverOptions = {}): Promise<Solver> {
  const { onProgress, signal, threads, wasm, urls, worker, ...rest } = optionsOf(options);
  return abortable(make(new Recipe(rest), options), signal);
}

async function make(recipe: Recipe, options: SolverOptions): Promise<Solver> {
  const { signal, onProgress } = options;
  if (signal?.aborted) throw cancelledBy(signal);
  const start = performance.now();
  const open = opener("solver", options);
  let thread: Thread | undefined;
  try {
    thread = await open();
    const info = await recipe.prepare(thread, { signal, onProgress });
    const prepare = (thread: Thread) => recipe.prepare(thread);
    const workshop: Workshop = { open, prepare };
    const channel = new Channel(workshop, thread);
    return new ChannelSolver(channel, info, recipe, performance.now() - start);
  } catch (error) {
    thread?.terminate();
    throw unexpected(error);
  }
}

/** Rejects as soon as the signal is aborted. If the solver is created after that, it is closed. */
async function abortable(making: Promise<Solver>, signal: AbortSignal | undefined) {
  if (!signal) return making;
  return new Promise<Solver>((resolve, reject) => {
    const abort = () => reject(cancelledBy(signal));
    signal.addEventListener("abort", abort);
    making
      .then((solver) => (signal.aborted ? solver.close() : resolve(solver)), reject)
      .finally(() => signal.removeEventListener("abort", abort));
  });
}

type Improved = SolveOptions["onImproved"];

/** Listeners for the events of a search. */
function searchEvents(
  onProgress: AdviceOptions["onProgress"],
  onImproved: Improved,
): (event: Event) => void {
  let best: Solution | undefined;
  return (event) => {
    if (event.type === "improved") {
      best = event.report as Solution;
      tell(onImproved, best);
    }
    if (event.type !== "progress") return;
    const { bound, nodes, ms } = event;
    const rate = ms > 0 ? (1000 * nodes) / ms : 0;
    tell(onProgress, { bound, nodes, rate, ms, ...(best ? { best } : {}) });
  };
}

/** A solver for one goal, in a separate worker. One call runs at a time; later calls wait. */
export interface Solver extends Readonly<Pick<ChannelSolver, keyof ChannelSolver>> {}

class ChannelSolver {
  readonly #channel: Channel;
  readonly #recipe: Recipe;
  /** The goal. */
  readonly goal: Board;
  /** Definition of one move. */
  readonly metric: Metric;
  /** The name of the partition in use. */
  readonly partition: string;
  /**
   * The reason why the solver uses smaller tables than the default of the size, or no tables.
   * Absent if it uses the default tables or the requested ones.
   */
  readonly reason: string | undefined;
  /** The solver's tables; `verify` marks them as proved. */
  tables: readonly TableInfo[];
  /** Milliseconds for preparing the tables. */
  readonly ms: number;

  constructor(channel: Channel, info: TablesInfo, recipe: Recipe, ms: number) {
    this.#channel = channel;
    this.#recipe = recipe;
    this.goal = info.goal;
    this.metric = info.metric as Metric;
    this.partition = info.partition;
    this.reason = info.reason;
    this.tables = info.tables;
    this.ms = ms;
  }

  /** Threads in use: the requested number, or 1 if several are not possible. */
  get threads(): number {
    return this.#channel.threads;
  }

  /** Warnings that did not stop the work, such as tables that could not be stored. */
  get warnings(): readonly string[] {
    return this.#recipe.warnings;
  }

  /** Current size of the WebAssembly memory, in bytes. */
  async memory(): Promise<number> {
    return this.#channel.call("memory", []);
  }

  /**
   * Solves a board.
   *
   * @example
   * ```ts
   * const stop = new AbortController();
   * button.onclick = () => stop.abort();
   * const report = await solver.solve("8 6 7/2 5 4/3 0 1", {
   *   mode: "anytime",
   *   maxTime: 5000,
   *   signal: stop.signal,
   *   onImproved: ({ length, bound }) => show(`${length} moves, at least ${bound} are needed`),
   * });
   * ```
   *
   * @throws UnsolvableError, LimitError, CancelledError, InputError
   */
  async solve(board: BoardLike, options: SolveOptions = {}): Promise<Solution> {
    const { onImproved, ...rest } = optionsOf(options);
    return this.#search({ ask: "solve", board }, rest, onImproved);
  }

  /**
   * Solves a list of boards, in order. If a board has no solution, its entry contains the `error`,
   * and the next boards are still solved. Limits apply to each board.
   *
   * @example
   * ```ts
   * for await (const { number, solution, error } of solver.solveList(boards, { signal })) {
   *   console.log(number, solution ? solution.moves : error.message);
   * }
   * ```
   *
   * @throws CancelledError, InputError for options. Leaving the loop stops the running search.
   */
  async *solveList(
    boards: Iterable<BoardLike>,
    options: SolveListOptions = {},
  ): AsyncGenerator<ListEntry, void, undefined> {
    const { onBoard, signal, ...rest } = optionsOf(options);
    const list = listOf(boards);
    const stop = new AbortController();
    const abort = () => stop.abort(signal?.reason);
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort);
    const begin = (index: number): Promise<ListEntry> | undefined => {
      if (index >= list.length) return undefined;
      const board = list[index]!;
      const entry = { number: index + 1, board };
      return this.solve(board, { ...rest, signal: stop.signal }).then(
        (solution) => ({ ...entry, solution }),
        (error: unknown) => {
          if (error instanceof CancelledError || !(error instanceof PuzzleError)) throw error;
          return { ...entry, error };
        },
      );
    };
    let next: Promise<ListEntry> | undefined;
    try {
      // Wrong options are not an error of each board.
      const { onProgress, onImproved, ...options } = rest;
      await this.solve(this.goal.board, { ...options, signal: stop.signal });
      next = begin(0);
      for (let index = 0; next; index++) {
        const entry = await next;
        // The worker continues while the caller handles the entry.
        next = begin(index + 1);
        next?.catch(() => {});
        tell(onBoard, { finished: index + 1, boards: list.length });
        yield entry;
      }
    } finally {
      signal?.removeEventListener("abort", abort);
      stop.abort();
    }
  }

  /**
   * Finds all optimal solutions, and with `within` also longer solutions.
   *
   * @example
   * ```ts
   * const { count, solutions } = await solver.allSolutions("8 6 7/2 5 4/3 0 1");
   * ```
   *
   * @throws UnsolvableError, LimitError, CancelledError, InputError
   */
  async allSolutions(board: BoardLike, options: AllSolutionsOptions = {}): Promise<Report> {
    return this.#search({ ask: "solve", mode: "optimal", board, all: true }, options);
  }

  /**
   * The distance to the goal and the good moves, or the best known moves if `maxTime` is too short.
   */
  async hint(board: BoardLike, options: AdviceOptions = {}): Promise<Hint> {
    return this.#search({ ask: "hint", board }, options);
  }

  /** Rates the moves of a game. */
  async rate(board: BoardLike, moves: MovesLike, options: AdviceOptions = {}): Promise<Rating> {
    return this.#search({ ask: "rate", board, moves: movesText(moves) }, options);
  }

  /** Values of the tables for a board. */
  async probe(board: BoardLike): Promise<Probe> {
    return this.#search({ ask: "probe", board }, {});
  }

  /** Asks a question whose answer can need a search. */
  async #search<T>(own: Request, options: AdviceOptions, improved?: Improved): Promise<T> {
    const { signal, onProgress, threads, ...rest } = optionsOf(options);
    const limited = typeof threads === "number" ? Math.min(threads, this.threads) : threads;
    const request = { ...own, ...this.#recipe.puzzle, threads: limited };
    return this.#channel.ask(requestOf(request, rest), {
      signal,
      onEvent: searchEvents(onProgress, improved),
    });
  }

  /** Proves that every entry of every table is correct, by applying the puzzle's moves. */
  async verify(options: RecipeTools = {}): Promise<readonly TableInfo[]> {
    const { signal, onProgress, ...rest } = optionsOf(options);
    const request = requestOf({ ask: "verify", ...this.#recipe.puzzle }, rest);
    const info = await this.#channel.ask<TablesInfo>(request, {
      signal,
      onEvent: (event) => {
        if (event.type === "tables") tell(onProgress, event.progress);
      },
    });
    return (this.tables = info.tables);
  }

  /**
   * Builds the missing tables for searches from the goal (tables of other goal cells of the blank),
   * if the build is quick enough. A solver with `bothSides: false` can answer its first call before
   * this build. Calls made during the build wait until the build ends or is cancelled.
   * `Solver.tables` does not list the new tables.
   *
   * @throws CancelledError
   */
  async openOtherGoals(options: { signal?: AbortSignal } = {}): Promise<void> {
    const { signal, ...rest } = optionsOf(options);
    const { puzzle, maxBuildTime } = this.#recipe;
    const request = { ask: "open", ...puzzle, maxBuildTime, bothSides: true };
    await this.#channel.ask(requestOf(request, rest), { signal });
  }

  /** The bytes of a table file, equal to those that `pdb-gen` writes. */
  async table(file: string): Promise<Uint8Array> {
    return this.#channel.call("table", [String(file)]);
  }

  /** Ends the worker and frees its memory; running and waiting calls are rejected. */
  close(): void {
    this.#channel.close();
  }
}

/** The boards of a list. Rejects an array of numbers, which is a single board. */
function listOf(boards: Iterable<BoardLike>): BoardLike[] {
  const isIterable = typeof boards === "object" && boards !== null && Symbol.iterator in boards;
  const list = isIterable ? [...boards] : [];
  if (isIterable && typeof list[0] !== "number") return list;
  throw new InputError(`boards must be a list of boards, not ${describe(boards)}`);
}
