/**
 * Types of arguments and results. `contract.ts` has the types of questions and answers; it is made
 * of the sentences in crates/session by scripts/build/npm.sh.
 */
import type * as contract from "./contract.js";
import type { PuzzleError } from "./error.js";

export type * from "./contract.js";

/** Columns x rows: `"4x4"`, `"5x3"`. From 2x2 to 20x20, and single rows and columns. */
export type Size = string;

/** A number of a board, 0 or `null` for the blank. */
export type Cell = number | string | null;

/**
 * A board: its numbers in reading order or in rows, or any text that `solver` reads, such as `"8 6
 * 7/2 5 4/3 0 1"`, a drawing, or nested arrays.
 */
export type BoardLike = string | readonly Cell[] | readonly (readonly Cell[])[];

/**
 * A goal: `"blank-last"` (the default), `"blank-first"`, `"snail"` (the tiles along a spiral, the
 * blank at its end), `"columns"` (the tiles in order down the columns), or any board.
 */
export type GoalLike = "blank-last" | "blank-first" | "snail" | "columns" | BoardLike;

/**
 * Moves: a text of letters, words (`up`, `left`), arrows, or numbers of tiles; or an array of such
 * moves.
 */
export type MovesLike = string | readonly (number | string)[];

/**
 * Notation of moves: letters for the direction of the tile (`U2RD`, the default) or of the blank,
 * or the numbers on the tiles.
 */
export type Notation = NonNullable<contract.SolveRequest["notation"]>;

/** Definition of one move: one tile by one cell (`"single"`), or a run of tiles (`"multi"`). */
export type Metric = NonNullable<contract.SolveRequest["metric"]>;

/** A board of a list, or the error of an entry that is none. */
export type ParsedLine = Pick<contract.ListEntry, "line" | "text"> &
  ((contract.Board & { error?: undefined }) | { error: string });

/** The report of a solved board, to which `solve` resolves. */
export interface Solution extends contract.Report {
  board: string;
  length: number;
  moves: string;
  proved: boolean;
  bound: number;
}

/** Progress of a search. */
export interface SearchProgress {
  /** Lower bound proved so far. */
  bound: number;
  /** Nodes generated so far. */
  nodes: number;
  /** Nodes per second since the start of the search. */
  rate: number;
  /** Milliseconds since the start of the search. */
  ms: number;
  /** For anytime searches: the best solution so far. */
  best?: Solution;
}

/** Progress of preparing tables. */
export interface TableProgress extends Omit<contract.TableProgress, "stage"> {
  /** Stage: building, downloading, unpacking, or proving entries. */
  stage: "build" | "download" | "unpack" | "verify";
  /**
   * A warning that does not stop the work, such as tables that could not be stored. Each warning is
   * reported once.
   */
  warning?: string;
}

/** A table in the browser's storage. */
export interface StoredTable {
  /** SHA-256 of the packed bytes, the key of the table. */
  sha256: string;
  /** The name of its file, such as `4x4-zero-aware-1.2.3.4.5.6-blank0.pdb`. */
  file: string;
  /** Number of packed bytes. */
  bytes: number;
  /** Time of storing, in milliseconds since 1970. */
  time: number;
}

/** Source of tables. */
export type TableSource =
  /** Build the tables here; 6-6-3 takes a fifth of a second. */
  | "build"
  /** Use no tables, only Manhattan distance, or `lines` in the metric `"multi"`. */
  | "none"
  /**
   * Address of the manifest of a bundle (`.../manifest.json`), which `pdb-gen pack` writes. Only
   * the tables that the solver needs are downloaded, stored in the browser, and checked.
   */
  | URL
  /** Bytes of table files (`.pdb`) or packed tables (`.pdbz`). */
  | Uint8Array
  | readonly Uint8Array[];

/** Address of a WebAssembly file of this package, or the file itself, compiled or not. */
export type WasmSource = URL | Uint8Array | WebAssembly.Module;

/**
 * Addresses of this package's files, for bundlers that do not find the files, and for copies of the
 * files on another host. By default each file is next to the module that needs it.
 */
export interface FileUrls {
  /** The script of `sliding-tile-pdb/worker`. */
  worker?: URL;
  /** The script of `sliding-tile-pdb/worker-threads`, for several threads. */
  workerThreads?: URL;
  /** The script of `sliding-tile-pdb/worker-laboratory`, for laboratories. */
  workerLaboratory?: URL;
  /** The module `sliding-tile-pdb/wasm`. */
  wasm?: URL;
  /** The module `sliding-tile-pdb/wasm-threads`, for several threads. */
  wasmThreads?: URL;
  /** The module `sliding-tile-pdb/wasm-laboratory`, for laboratories. */
  wasmLaboratory?: URL;
}

/** Options of a solver. */
export interface SolverOptions extends contract.OpenRequest {
  /** Default `"build"`. */
  tables?: TableSource;
  /**
   * Maximum estimated time for building tables, in milliseconds. The estimate is for native code on
   * one core of a desktop machine; WebAssembly takes about twice as long. Default 1500, or 4000 in
   * the metric `"multi"`; no default limit if `partition` is given. A `partition` whose tables take
   * longer than a given limit causes a TableError.
   */
  maxBuildTime?: number;
  /** Whether to store downloaded tables for the next visit. Default true. */
  keep?: boolean;
  /** Receives the progress of preparing the tables. */
  onProgress?: (progress: TableProgress) => void;
  /** Cancels the creation of the solver. */
  signal?: AbortSignal;
  /**
   * Number of threads that build tables and search, at most 16. Default 1; 0 means the number of
   * cores. Several threads need shared memory, which Node, Deno and cross-origin isolated pages
   * provide. Without shared memory, or if further workers cannot start, the solver uses one thread
   * (`Solver.threads`).
   */
  threads?: number;
  /**
   * The WebAssembly file, by default this package's own: `wasm`, or `wasm-threads` for several
   * threads. The file `wasm` supports only one thread. If `wasm-threads` is given but threads are
   * not available, the package's own `wasm` is used.
   */
  wasm?: WasmSource;
  /** Addresses of the package's files, if they are not next to each other. */
  urls?: FileUrls;
  /**
   * `false`: the solver works on the calling thread, for hosts without workers. Then calls stop
   * only at `maxTime` or `maxNodes`, or if a listener aborts the signal.
   */
  worker?: boolean;
}

/** The options of a question that are not its board, its moves or options of a solver. */
type OfCall<Request> = Omit<Request, "board" | "moves" | keyof contract.VerifyRequest>;

/** Limits of a call, and the signal that cancels it. */
export interface CallOptions extends OfCall<contract.HintRequest> {
  /** Cancels the call within milliseconds. The solver keeps its tables. */
  signal?: AbortSignal;
}

/** Options of hints. */
export interface AdviceOptions extends CallOptions {
  /** Receives the progress of the search, at most 20 times per second. */
  onProgress?: (progress: SearchProgress) => void;
}

/** Options of solving a board. An option that `mode` does not support causes an InputError. */
export interface SolveOptions extends AdviceOptions, OfCall<contract.SolveRequest> {
  /** For anytime answers: receives each better solution, with the status `"improved"`. */
  onImproved?: (report: Solution) => void;
}

/** Options of solving a list of boards. */
export interface SolveListOptions extends SolveOptions {
  /** Receives the number of finished boards after each board. */
  onBoard?: (progress: { finished: number; boards: number }) => void;
}

/** A board of a list, with its solution or its error. */
export type ListEntry = {
  /** Number of the board in the list, from 1. */
  number: number;
  /** The given board. */
  board: BoardLike;
} & ({ solution: Solution; error?: undefined } | { solution?: undefined; error: PuzzleError });

/** Options of finding all solutions. */
export interface AllSolutionsOptions
  extends AdviceOptions, Pick<contract.SolveRequest, "within" | "most" | "count" | "notation"> {}

/** A name of a heuristic: zero, misplaced, manhattan, ..., or a partition such as 6-6-3. */
export type HeuristicName = string;

/** Options of explanations. */
export interface ExplainOptions extends Omit<contract.ExplainRequest, "board"> {
  signal?: AbortSignal;
}

/** Options of a laboratory, which uses only `workerLaboratory` and `wasmLaboratory` of `urls`. */
export type LaboratoryOptions = Pick<SolverOptions, "wasm" | "worker" | "urls">;

/** Options of a comparison. */
export interface CompareOptions extends Omit<contract.CompareRequest, "progress"> {
  heuristics: HeuristicName[];
  searches: string[];
  signal?: AbortSignal;
  /** Receives the record of each search when the search ends. */
  onRecord?: (
    record: contract.ComparisonRecord,
    progress: { finished: number; runs: number },
  ) => void;
  /**
   * Receives the progress of the current search at most 20 times per second, and the end of each
   * iteration of `ida-star`.
   */
  onProgress?: (progress: LaboratoryProgress) => void;
}

/** The progress of a search of the laboratory. */
export type LaboratoryProgress = Omit<Extract<contract.Event, { type: "run" }>, "type">;

/** Options of random boards. By default the seed is random. */
export type ScrambleOptions = contract.ScrambleRequest;

/** Options of applying moves. */
export type ApplyOptions = Omit<contract.ApplyRequest, "board" | "moves">;

/** Options of drawing a board. */
export type DrawOptions = Omit<contract.DrawRequest, "board">;

/** Options of plots of a comparison. */
export interface PlotOptions extends Omit<contract.PlotsRequest, "records"> {
  /**
   * Translations of the texts in plots. The name of a search or heuristic is a key. The name of a
   * plot is the key of its title. The other keys are `boards`, `and`, `mean`, `shortest`,
   * `generated`, `length`, `shortest-length`, `ms`, `share`, `distance`, `value`, `walk`,
   * `admissible`, `as-many`, `boxes`, `counts` and `limit` (such as "{} of {} at a limit").
   */
  names?: Record<string, string>;
}
