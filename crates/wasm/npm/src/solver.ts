/** Creates solvers. A solver and its tables are in a separate thread. */
import { Channel, unexpected, type Workshop } from "./channel.js";
import { CancelledError, InputError, PuzzleError, cancelledBy } from "./error.js";
import type { Event, SolverInfo } from "./protocol.js";
import { Recipe } from "./recipe.js";
import {
  CALL_NAMES,
  boardText,
  describe,
  limitOf,
  limitsOf,
  movesText,
  optionsOf,
  requestOf,
  tell,
  textOf,
  wholeOf,
  type Names,
} from "./request.js";
import { opener, type Thread } from "./thread.js";
import type {
  AdviceOptions,
  AllSolutionsOptions,
  Board,
  BoardLike,
  Hint,
  ListEntry,
  Metric,
  MovesLike,
  Probe,
  Rating,
  Report,
  Solution,
  SearchProgress,
  SolveListOptions,
  SolveOptions,
  Solver,
  SolverOptions,
  TableInfo,
  TableProgress,
} from "./types.js";

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
  const recipe = new Recipe(optionsOf(options, SOLVER_NAMES));
  return abortable(make(recipe, options), options.signal);
}

const SOLVER_NAMES: Names<SolverOptions> = {
  size: true,
  goal: true,
  metric: true,
  partition: true,
  tables: true,
  maxBuildTime: true,
  bothSides: true,
  keep: true,
  onProgress: true,
  signal: true,
  threads: true,
  wasm: true,
  urls: true,
  worker: true,
};
const ADVICE_NAMES: Names<AdviceOptions> = { ...CALL_NAMES, onProgress: true };
const SOLVE_NAMES: Names<SolveOptions> = {
  ...ADVICE_NAMES,
  mode: true,
  short: true,
  explain: true,
  within: true,
  notation: true,
  onImproved: true,
};
const LIST_NAMES: Names<SolveListOptions> = { ...SOLVE_NAMES, onBoard: true };
const ALL_NAMES: Names<AllSolutionsOptions> = {
  ...ADVICE_NAMES,
  within: true,
  most: true,
  count: true,
  notation: true,
};

async function make(recipe: Recipe, options: SolverOptions): Promise<Solver> {
  const { signal, onProgress } = options;
  if (signal?.aborted) throw cancelledBy(signal);
  const start = performance.now();
  const open = opener("solver", options);
  let thread: Thread | undefined;
  try {
    thread = await open();
    const info = await recipe.prepare(thread, { signal, onProgress });
    const workshop: Workshop = {
      open,
      prepare: async (thread) => {
        await recipe.prepare(thread);
      },
    };
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

/** Listeners for the events of a search. */
function searchEvents(options: {
  onProgress?: (progress: SearchProgress) => void;
  onImproved?: (report: Solution) => void;
}): (event: Event) => void {
  return (event) => {
    if (event.type === "search") tell(options.onProgress, event.progress);
    if (event.type === "improved") tell(options.onImproved, event.report);
  };
}

class ChannelSolver implements Solver {
  readonly #channel: Channel;
  readonly #recipe: Recipe;
  readonly goal: Board;
  readonly metric: Metric;
  readonly partition: string;
  readonly reason: string | undefined;
  tables: readonly TableInfo[];
  readonly ms: number;

  constructor(channel: Channel, info: SolverInfo, recipe: Recipe, ms: number) {
    this.#channel = channel;
    this.#recipe = recipe;
    this.goal = info.goal;
    this.metric = info.metric;
    this.partition = info.partition;
    this.reason = info.reason;
    this.tables = info.tables;
    this.ms = ms;
  }

  get threads(): number {
    return this.#channel.threads;
  }

  get warnings(): readonly string[] {
    return this.#recipe.warnings;
  }

  async memory(): Promise<number> {
    return this.#channel.call("memory", []);
  }

  async solve(board: BoardLike, options: SolveOptions = {}): Promise<Solution> {
    const { mode, short, explain, within, notation } = optionsOf(options, SOLVE_NAMES);
    const limits = limitsOf(options);
    const request = requestOf({ mode, short, explain, within, notation, ...limits });
    return this.#channel.call("solve", [boardText(board), request], {
      signal: options.signal,
      onEvent: searchEvents(options),
    });
  }

  async *solveList(
    boards: Iterable<BoardLike>,
    options: SolveListOptions = {},
  ): AsyncGenerator<ListEntry, void, undefined> {
    const { onBoard, signal, ...rest } = optionsOf(options, LIST_NAMES);
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
    let next = begin(0);
    try {
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

  async allSolutions(board: BoardLike, options: AllSolutionsOptions = {}): Promise<Report> {
    const { within } = optionsOf(options, ALL_NAMES);
    const request = requestOf({
      within: within === undefined ? undefined : wholeOf(within, "within"),
      most: limitOf(options.most, "most"),
      count: options.count,
      notation: options.notation,
      ...limitsOf(options),
    });
    return this.#channel.call("allSolutions", [boardText(board), request], {
      signal: options.signal,
      onEvent: searchEvents(options),
    });
  }

  async hint(board: BoardLike, options: AdviceOptions = {}): Promise<Hint> {
    const request = requestOf(limitsOf(optionsOf(options, ADVICE_NAMES)));
    return this.#channel.call("hint", [boardText(board), request], {
      signal: options.signal,
      onEvent: searchEvents(options),
    });
  }

  async rate(board: BoardLike, moves: MovesLike, options: AdviceOptions = {}): Promise<Rating> {
    const request = requestOf(limitsOf(optionsOf(options, ADVICE_NAMES)));
    return this.#channel.call("rate", [boardText(board), movesText(moves), request], {
      signal: options.signal,
      onEvent: searchEvents(options),
    });
  }

  async probe(board: BoardLike): Promise<Probe> {
    return this.#channel.call("probe", [boardText(board)]);
  }

  async verify(
    options: { signal?: AbortSignal; onProgress?: (progress: TableProgress) => void } = {},
  ): Promise<readonly TableInfo[]> {
    const { signal } = optionsOf(options, { signal: true, onProgress: true });
    this.tables = await this.#channel.call("verify", [], {
      signal,
      onEvent: (event) => {
        if (event.type === "tables") tell(options.onProgress, event.progress);
      },
    });
    return this.tables;
  }

  async openOtherGoals(options: { signal?: AbortSignal } = {}): Promise<void> {
    const { signal } = optionsOf(options, { signal: true });
    return this.#channel.call("openOtherGoals", [], { signal });
  }

  async table(file: string): Promise<Uint8Array> {
    return this.#channel.call("table", [textOf(file, "the table's file")]);
  }

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
