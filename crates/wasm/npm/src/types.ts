/**
 * The types of the package: what goes in and what comes out. Objects that come out are those of the
 * command line's `--json` (docs/json.md of the repository), field by field.
 */
import type { PuzzleError } from "./error.js";

/** Columns x rows: `"4x4"`, `"5x3"`. From 2x2 to 20x20, and single rows and columns. */
export type Size = string;

/**
 * A board: its numbers in reading order, 0 for the blank, or any text that `solver` reads, such as
 * `"8 6 7/2 5 4/3 0 1"`, a drawing, or nested arrays.
 */
export type BoardLike = string | readonly number[];

/** A goal: `"blank-last"` (the default), `"blank-first"`, or any board. */
export type GoalLike = "blank-last" | "blank-first" | BoardLike;

/**
 * Notation of moves: letters for the way a tile goes (`U2RD`, the default), for the way the
 * blank goes, or by the numbers on the tiles.
 */
export type Notation = "tile" | "blank" | "numbers";

/** Definition of one move: one tile by one cell (`"single"`), or a run of tiles (`"multi"`). */
export type Metric = "single" | "multi";

/**
 * The kind of answer. `"optimal"`: a proved shortest solution. `"strategic"`: one at once, by a
 * method that people can follow. `"anytime"`: one at once, then shorter ones until a limit.
 */
export type Mode = "optimal" | "strategic" | "anytime";

/**
 * Which end of a board is searched from: the board, the goal, or the end that is expected to need
 * fewer nodes (`"auto"`, the default). An InputError where there are no tables for the goal.
 */
export type Side = "auto" | "start" | "goal";

/** A board that was read. */
export interface Board {
  /** In rows, parted by slashes: the form that every function takes back. */
  board: string;
  /** Columns x rows. */
  size: Size;
  columns: number;
  rows: number;
  /** Its numbers in reading order, 0 for the blank. */
  tiles: number[];
}

/** Whether a board can be solved. */
export interface Solvability {
  /** Whether the goal can be reached. */
  solvable: boolean;
  /** Why it cannot. */
  message?: string;
  /** Two tiles whose swap makes it solvable, where one swap does; the smaller number first. */
  swap?: [number, number];
  /** Pairs of tiles swapped to bring the board into the goal's order: only odd or even matters. */
  is_odd?: boolean;
  /** Moves that the blank is away from its place. */
  blank_distance?: number;
}

/** A random board. */
export interface Scrambled {
  /** Seed and kind of the drawing. */
  seed: number;
  /** From 1 on. */
  number: number;
  /** The board, in rows. */
  board: string;
  /** With `moves`: the moves from the goal. */
  scramble?: string;
}

/** Result of applying moves. */
export interface Applied {
  /** The board before them. */
  board: string;
  /** The moves, as given. */
  moves: string;
  /** Single moves. */
  length: number;
  /** The board after them. */
  result: string;
  /** Whether that is the goal. */
  solved: boolean;
}

/**
 * Outcome of a board: the object of `solver --json`. Fields that do not apply are absent.
 */
export interface Report {
  /** The board as it was read. */
  board?: string;
  /**
   * Status. Calls that resolve have `solved`; other reports are in errors, and `improved` in
   * `onImproved`.
   */
  status: "solved" | "improved" | "unsolvable" | "limit" | "error";
  /** The requested mode. */
  mode?: Mode;
  /** Number of moves, in the solver's metric. */
  length?: number;
  /** Whether it is proved that no solution is shorter. */
  optimal?: boolean;
  /** The same as `optimal`. */
  proved?: boolean;
  /**
   * Method of the solution: IDA*, tile by tile, by beam search, by shortening parts of a
   * longer one.
   */
  method?: "search" | "strategic" | "beam" | "window";
  /** The moves, such as `"U2RD"`; empty when already solved. */
  moves?: string;
  /** The steps of a strategic solution, with `explain`. */
  steps?: Step[];
  /** Of `allSolutions`: the number of optimal solutions. */
  count?: number;
  /** Of `allSolutions` with `within`: the number of solutions of 0, 1, ... moves more. */
  counts?: number[];
  /**
   * Of `allSolutions` without `count`: the first ones, the shortest first. `moves` is the first.
   */
  solutions?: string[];
  /** Nodes generated: children of expanded nodes, over all iterations. */
  nodes?: number;
  /** Nodes expanded. */
  expanded?: number;
  /** Milliseconds of the search. Reports without a search, as of unsolvable boards, have none. */
  ms?: number;
  /** The heuristic's value of the board. */
  h0?: number;
  /** No solution is shorter than this. */
  bound?: number;
  /** Cost of each iteration of IDA*. */
  iterations?: Iteration[];
  /** Threads that the search was allowed. */
  threads?: number;
  /** The name of the partition that the search used. */
  tables?: string;
  /** Of an unsolvable board: two tiles whose swap makes it solvable, the smaller first. */
  swap?: [number, number];
  /** The reason, where there is no solution. */
  message?: string;
}

/** One depth-first search of IDA*. */
export interface Iteration {
  /** The longest paths that were looked at. */
  bound: number;
  /** Nodes generated in it. */
  nodes: number;
  /** Nodes expanded in it. */
  expanded: number;
  /** `"goal"` if it was searched from there; absent if from the start. */
  side?: "goal";
}

/** The report of a solved board: what `solve` resolves to. */
export interface Solution extends Report {
  board: string;
  length: number;
  moves: string;
  proved: boolean;
  bound: number;
}

/** A step of a strategic solution. Rows and columns count from 1. */
export interface Step {
  /**
   * `place`: a tile goes to a cell. `corner`: the last two tiles of a row or column turn in
   * together. `finish`: the last cells come into order. `slide`: along a tray of one row or column.
   */
  action: "place" | "corner" | "finish" | "slide";
  /** Of `place`: the tile. */
  tile?: number;
  /** Of `place`: where it goes. */
  row?: number;
  /** Of `place`: where it goes. */
  column?: number;
  /** Of `corner` and `finish`: the tiles. */
  tiles?: number[];
  /** Moves of the step. */
  length: number;
  /** The moves; those of all steps are the solution's. */
  moves: string;
}

/** Progress of a search. */
export interface SearchProgress {
  /** No solution is shorter than this, so far. */
  bound: number;
  /** Nodes generated so far. */
  nodes: number;
  /** Nodes a second, since the search began. */
  rate: number;
  /** Milliseconds since the search began. */
  ms: number;
  /** The best solution so far, in anytime searches. */
  best?: Solution;
}

/** One or several tiles that slide at once. */
export interface TileMove {
  /** The numbers on them, the one next to the blank first. */
  tiles: number[];
  /** The move, in letters for the way the tile goes. */
  moves: string;
}

/** Help with a board. */
export interface Hint {
  /** The board. */
  board: string;
  /** Distance to the goal. */
  distance: number;
  /** No solution is shorter. */
  bound: number;
  /** Whether the distance is proved; then `moves` are all good moves. */
  exact: boolean;
  /** The good moves: each begins a shortest solution. None on the goal. */
  moves: TileMove[];
  /** Moves of that length. */
  solution: string;
  /** Nodes generated in all searches. */
  nodes: number;
  /** The name of the partition. */
  tables: string;
}

/** A game judged. */
export interface Rating {
  /** The board at the beginning. */
  board: string;
  /** The moves as given. */
  moves: string;
  /** Distance to the goal before the game. */
  distance: number;
  /** No solution is shorter. */
  bound: number;
  /** Whether all distances are proved. */
  exact: boolean;
  /** Moves made. */
  length: number;
  /** The distance where the game ends. */
  left: number;
  /** Moves that kept a shortest solution. */
  kept: number;
  /** Moves of the game and of a shortest way on, beyond a shortest solution. */
  lost: number;
  /** The share of the moves that kept a shortest solution, in percent. */
  credit: number;
  /** 100 x distance / (length + left). */
  efficiency: number;
  /** The part with the greatest loss: numbers of moves, from 1. Absent without a loss. */
  worst?: { first: number; last: number; lost: number };
  /** The moves, one by one. */
  steps: RatedMove[];
  /** Nodes generated in all searches. */
  nodes: number;
  /** The name of the partition. */
  tables: string;
}

/** A move of a game. */
export interface RatedMove extends TileMove {
  /** Distance to the goal after the move. */
  distance: number;
  /** No solution from there is shorter. */
  bound: number;
  /** Whether it kept a shortest solution. */
  kept: boolean;
  /** Moves that it added. */
  lost: number;
  /** A move that would have kept one, where this one did not. */
  better?: TileMove;
}

/** Values of the tables for a board, without a search: docs/json.md, "A probe". */
export interface Probe {
  /** The board. */
  board: string;
  /** The name of the partition. */
  tables: string;
  /** No solution is shorter. */
  estimate: number;
  /** The heuristic without tables, where it takes part. */
  table_free?: number;
  /** The partitions and their images under the symmetries of the goal; the largest sum counts. */
  views: {
    partition: number;
    symmetry: string;
    kind: string;
    sum: number;
    parts: {
      tiles: number[];
      table: string;
      encoding: string;
      symmetry: string;
      entry: number;
      stored: number;
      value: number;
    }[];
  }[];
}

/** A table in memory. */
export interface TableInfo {
  /** The name of its file, such as `4x4-zero-aware-1.2.3.4.5.6-blank0.pdb`. */
  file: string;
  /** The numbers on its tiles. */
  tiles: number[];
  /** All sets of tiles that it is the table of, by the symmetries of the tray. */
  serves: number[][];
  /** Kind of its values: `zero-aware`, `blank-compressed`, `full`, `runs`. */
  kind: string;
  /** Encoding of its entries: `one-bit`, `mod-3`, `u8`. */
  encoding: string;
  /** Arrangements that it has values for. */
  entries: number;
  /** Bytes in memory. */
  bytes: number;
  /** The largest value. */
  max: number;
  /**
   * Source and extent of its check: `"built"` here; `"sums"`: loaded, and every
   * checksum agrees; `"proved"`: every entry was proved by the puzzle's moves (`Solver.verify`).
   */
  verified: "built" | "sums" | "proved";
}

/** Progress of making tables ready. */
export interface TableProgress {
  /** Building, downloading, unpacking packed bytes, proving entries. */
  stage: "build" | "download" | "unpack" | "verify";
  /** The number of the table, from 0, and how many there are. */
  table: number;
  tables: number;
  /** From 0 to 1, of the stage over all tables. */
  done: number;
  /** Something that did not stop the work: tables that could not be kept, say. Said once. */
  warning?: string;
}

/** A table that the browser keeps. */
export interface StoredTable {
  /** Of the packed bytes; what the table is kept by. */
  sha256: string;
  /** The name of its file, such as `4x4-zero-aware-1.2.3.4.5.6-blank0.pdb`. */
  file: string;
  /** Packed bytes kept. */
  bytes: number;
  /** Milliseconds since 1970 when it was kept. */
  time: number;
}

/** Source of tables. */
export type TableSource =
  /** Build them here: 6-6-3 takes a fifth of a second. */
  | "build"
  /** Use none: Manhattan distance alone. */
  | "none"
  /**
   * The manifest of a bundle (`.../manifest.json`) or a single file, both made by `pdb-gen pack`.
   * Only the tables that are needed are fetched, kept in the browser's storage, and checked.
   */
  | URL
  /** Bytes of table files (`.pdb`), packed tables (`.pdbz`) or a single-file bundle. */
  | Uint8Array
  | readonly Uint8Array[];

/**
 * Address of a WebAssembly file of this package, or the file itself, compiled or not. Which one it
 * must be says the option that takes it.
 */
export type WasmSource = URL | Uint8Array | WebAssembly.Module;

/**
 * Addresses of files of this package, for bundlers that do not find them and for copies on another
 * host. Each is by default the file next to the module that needs it.
 */
export interface FileUrls {
  /** The script of `sliding-tile-pdb/worker`. */
  worker?: URL;
  /** The script of `sliding-tile-pdb/worker-threads`, for several threads. */
  workerThreads?: URL;
  /** The module `sliding-tile-pdb/wasm`. */
  wasm?: URL;
  /** The module `sliding-tile-pdb/wasm-threads`, for several threads. */
  wasmThreads?: URL;
}

/** Options of a solver. */
export interface SolverOptions {
  /** By default that of the goal where that is a board, else 4x4. */
  size?: Size;
  /** Default `"blank-last"`. */
  goal?: GoalLike;
  /** Default `"single"`. */
  metric?: Metric;
  /**
   * As `--partition`: `"6-6-3"`, a preset, lists of tiles. By default that of the bundle where
   * `tables` is one, else the size's own, or the largest smaller one that `maxBuildTime` allows.
   */
  partition?: string;
  /** By default `"build"`, where the tables fit. */
  tables?: TableSource;
  /**
   * Milliseconds that tables may take to build, by an estimate for one core of a desktop machine;
   * WebAssembly takes about twice as long. By default 1500, in the metric `"multi"` 4000; without
   * a limit where there is a `partition`, which is an InputError if its tables take longer.
   */
  maxBuildTime?: number;
  /**
   * Whether boards can be searched from the goal, too (`side`): for most boards that takes tables
   * of
   * other goal cells of the blank. Default true: they are built where that takes little more time
   * (for 6-6-3 a quarter of a second), and taken from `tables` that were packed with `--both-
   * sides`.
   * `false`: without them, until `Solver.openOtherGoals` is called.
   */
  bothSides?: boolean;
  /** Of tables that are fetched: keep them for the next visit. Default true. */
  keep?: boolean;
  /** Hears how far the tables are. */
  onProgress?: (progress: TableProgress) => void;
  /** Gives up. */
  signal?: AbortSignal;
  /**
   * Threads that build tables and search: by default 1, and 0 for as many as there are cores; at
   * most 16. Several need memory that can be shared: Node, Deno, pages that are cross-origin
   * isolated.
   * If it is missing, or no other worker can be started, the solver uses one thread
   * (`Solver.threads`).
   */
  threads?: number;
  /**
   * The WebAssembly file, by default this package's own: `wasm`, or `wasm-threads` for several
   * threads. Given `wasm`, there is one thread. Given `wasm-threads` where there can be no threads,
   * the package's own `wasm` is used.
   */
  wasm?: WasmSource;
  /** Addresses of the package's files, where they are not next to each other. */
  urls?: FileUrls;
  /**
   * `false`: work on the calling thread, in hosts without workers. Then calls cannot be cancelled,
   * but by `maxTime` and `maxNodes`.
   */
  worker?: boolean;
}

/** Limits, and connections to the caller. */
export interface CallOptions {
  /** Cancels the call within some milliseconds. The tables stay. */
  signal?: AbortSignal;
  /**
   * Milliseconds, above 0. Anytime searches without any limit end after ten seconds.
   */
  maxTime?: number;
  /** Nodes to generate, at least 1. */
  maxNodes?: number;
  /** Threads for this search: at most those of the solver, which is also the default, and 0. */
  threads?: number;
  /** Default `"auto"`. Not for strategic answers. */
  side?: Side;
}

/** Options of solving a board. Options of another mode are an InputError. */
export interface SolveOptions extends CallOptions {
  /** By default `"optimal"`. */
  mode?: Mode;
  /** Of strategic answers: a short one instead of one that is easy to follow. */
  short?: boolean;
  /** Of strategic answers: with `steps`. Excludes `short`. */
  explain?: boolean;
  /** Of anytime answers: enough when this close to the proved bound, as a share: 0.05 for 5 %. */
  within?: number;
  /** Notation of the moves. Default `"tile"`. */
  notation?: Notation;
  /** Hears some ten times a second how far the search is. */
  onProgress?: (progress: SearchProgress) => void;
  /** Of anytime answers: receives each better solution, status `"improved"`. */
  onImproved?: (report: Solution) => void;
}

/** Options of solving a list of boards. */
export interface SolveListOptions extends SolveOptions {
  /** Hears after each board how many are finished. */
  onBoard?: (progress: { finished: number; boards: number }) => void;
}

/** A board of a list: its solution, or the reason why there is none. */
export type ListEntry = {
  /** From 1 on. */
  number: number;
  /** The board as it was given. */
  board: BoardLike;
} & (
  | { solution: Solution; error?: undefined }
  | { solution?: undefined; error: PuzzleError }
);

/** Options of finding all solutions. */
export interface AllSolutionsOptions extends CallOptions {
  /**
   * Also solutions up to this many moves longer than a shortest one: a whole number, at most 1000.
   * For the metric `"single"`. With 0 the report has `counts` too.
   */
  within?: number;
  /** The most solutions to write down. Default 1,000. */
  most?: number;
  /** Count only: no `solutions`. Excludes `most`. */
  count?: boolean;
  /** Notation of the moves. Default `"tile"`. */
  notation?: Notation;
  /** Hears some ten times a second how far the search is. */
  onProgress?: (progress: SearchProgress) => void;
}

/** Options of hints. */
export interface AdviceOptions extends CallOptions {
  /** Hears some ten times a second how far the search is. */
  onProgress?: (progress: SearchProgress) => void;
}

/** The names that heuristics have: zero, misplaced, manhattan, ..., or partitions such as 6-6-3. */
export type HeuristicName = string;

/** Value of a heuristic on a board, explained. */
export interface Explanation {
  /** Its name. */
  heuristic: HeuristicName;
  /** No solution is shorter. */
  value: number;
  /** Whether no other one has a larger value. */
  is_largest: boolean;
  /** Whether values of neighbouring boards differ by no more than the move. */
  is_consistent: boolean;
  /** Authors and publication. */
  source: string;
  /** Terms of the value: words, tiles, value. */
  terms: { words: string; tiles: number[]; value: number }[];
}

/** Options of explanations. */
export interface ExplainOptions {
  /** Default `"blank-last"`. */
  goal?: GoalLike;
  /** By default all that are at hand. */
  heuristics?: HeuristicName[];
  signal?: AbortSignal;
}

/** Options of a laboratory. */
export interface LaboratoryOptions {
  /** The file `wasm` of this package, by default its own. */
  wasm?: WasmSource;
  /** As in `SolverOptions`. */
  worker?: boolean;
  /** As in `SolverOptions`; `worker` and `wasm` are used. */
  urls?: FileUrls;
}

/** Options of a comparison. */
export interface CompareOptions extends Omit<CallOptions, "threads" | "side"> {
  /** Sizes, each with its own set of boards. Default `["3x3"]`. */
  sizes?: Size[];
  /** Goal of all boards, by name. */
  goal?: GoalLike;
  /** Boards of one's own, instead of random ones. */
  boards?: BoardLike[];
  /** Random boards of each set. Default 100. */
  number?: number;
  /** Boards after this number of random moves, one set per number. */
  moves?: number[];
  /** The same boards for the same seed. Default 0. */
  seed?: number;
  /** By their names, such as `manhattan` or `6-6-3`. */
  heuristics: HeuristicName[];
  /**
   * `breadth-first`, `uniform-cost`, `greedy`, `astar`, `weighted-astar:1.5`, `ida-star`,
   * `bidirectional`.
   */
  searches: string[];
  /** Bytes for the nodes of one search. */
  maxMemory?: number;
  /** Hears each search when it is finished. */
  onRecord?: (record: ComparisonRecord, progress: { finished: number; runs: number }) => void;
  /**
   * Hears the progress of the current search some ten times a second, and the end of each
   * depth-first search of `ida-star`.
   */
  onProgress?: (progress: LaboratoryProgress) => void;
}

/** The progress of a search of the laboratory. */
export interface LaboratoryProgress {
  /** Nodes generated so far. */
  generated: number;
  /** Milliseconds since the search began. */
  ms: number;
  /** Of `ida-star`: the bound of its current depth-first search; 0 for other searches. */
  bound: number;
  /** Of `ida-star`: the depth-first search that has just ended. */
  ended?: { bound: number; generated: number; expanded: number };
}

/** A search of a comparison: docs/json.md, "A search of a comparison". */
export interface ComparisonRecord {
  /** The set of boards: `random`, `walk-K` after K moves, `given`. */
  set: string;
  /** Columns x rows. */
  size: Size;
  /** The goal. */
  goal: string;
  /** The board's number in its set, from 1. */
  number: number;
  /** The board. */
  board: string;
  /** The name of the search. */
  search: string;
  /** The name of the heuristic; `none` where the search asks none. */
  heuristic: HeuristicName;
  /** Whether it found a solution. */
  status: "solved" | "limit";
  /** The limit that ended it. */
  limit?: "nodes" | "memory" | "time";
  /** Moves of its solution. */
  length?: number;
  /** Moves of a shortest one, where that is known. */
  optimal_length?: number;
  /** The solution, by letters for the way the tile goes. */
  moves?: string;
  /** The heuristic's value of the board. */
  h0: number;
  /** Children of expanded nodes, without those by the move back. */
  generated: number;
  /** Nodes whose children were generated. */
  expanded: number;
  /** Those of them that were reached by a shorter way later. */
  reopened: number;
  /** The most nodes kept at once. */
  peak: number;
  /** The bytes that these took. */
  peak_bytes: number;
  /** The effective branching factor. */
  branching_factor?: number;
  /** Milliseconds. */
  ms: number;
  /** Of `ida-star`: its depth-first searches. */
  iterations?: { bound: number; generated: number; expanded: number }[];
}

/** Options of random boards. */
export interface ScrambleOptions {
  /** Default `"4x4"`, or that of the goal. */
  size?: Size;
  /** Default `"blank-last"`. */
  goal?: GoalLike;
  /** Boards to draw. Default 1. */
  number?: number;
  /** Random moves from the goal; without it the boards are uniformly random. */
  moves?: number;
  /** The same boards for the same seed. By default a random one. */
  seed?: number;
}

/** Options of applying moves. */
export interface ApplyOptions {
  /** The goal that `solved` is about. Default `"blank-last"`. */
  goal?: GoalLike;
  /** Notation of the moves; guessed by default. */
  notation?: Notation;
}

/** Options of drawing a board. */
export interface DrawOptions {
  /** Tiles on their cells of this goal look different. Default `"blank-last"`. */
  goal?: GoalLike;
  /** Default `"text"`. */
  style?: "text" | "svg";
  /** Moves that an SVG picture plays. */
  moves?: string;
}

/** The rules of the puzzle: plain functions, ready at once, on the calling thread. */
export interface Puzzle {
  /** Reads a board, in any form. Without a size it is seen from the rows or the count. */
  parse(board: BoardLike, size?: Size): Board;
  /** The goal, by name or as a board. */
  goal(goal: GoalLike, size?: Size): Board;
  /** Whether the goal can be reached, and why not. */
  solvability(board: BoardLike, goal?: GoalLike): Solvability;
  /**
   * Uniformly random boards, or boards after `moves` random moves from the goal. One by default;
   * the same ones for the same `seed`, which is a random one by default.
   */
  scramble(options?: ScrambleOptions): Scrambled[];
  /** Plays moves in any notation. */
  apply(board: BoardLike, moves: string, options?: ApplyOptions): Applied;
  /** The boards along the way of moves, the given one first: one more than there are moves. */
  boardsAlong(board: BoardLike, moves: string, options?: { notation?: Notation }): string[];
  /** Moves of a board from one notation to another; the notation read is guessed. */
  convert(board: BoardLike, moves: string, to: Notation, from?: Notation): string;
  /** The moves back. */
  invert(moves: string, notation?: Notation): string;
  /** A board drawn: in characters, as an SVG picture, or as one that plays the moves. */
  draw(board: BoardLike, options?: DrawOptions): string;
  /**
   * The names of the partitions that come into question where a solver is asked for none, the
   * largest first; of those it takes the first one that can be built within `maxBuildTime`. Empty
   * where no tables are possible.
   */
  partitions(size: Size, metric?: Metric): string[];
  /** The version of this package. */
  readonly version: string;
}

/** A goal and its tables, in a worker of their own. One call runs at a time; others wait. */
export interface Solver {
  /** The goal. */
  readonly goal: Board;
  /** Definition of one move. */
  readonly metric: Metric;
  /** The name of the partition in use. */
  readonly partition: string;
  /**
   * Why smaller tables or none are in use and not those that are usual for the size; absent where
   * they are usual or asked for.
   */
  readonly reason?: string | undefined;
  /** Its tables; after `verify` as proved. */
  readonly tables: readonly TableInfo[];
  /** Threads in use: the requested number, or 1 if several are not possible. */
  readonly threads: number;
  /** Milliseconds that the tables took. */
  readonly ms: number;
  /** Warnings that did not stop the work, such as tables that could not be kept. */
  readonly warnings: readonly string[];
  /** Bytes of WebAssembly memory now. */
  memory(): Promise<number>;
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
  solve(board: BoardLike, options?: SolveOptions): Promise<Solution>;
  /**
   * Solves a list of boards, in order. A board without a solution does not end the list: its entry
   * has the `error`. Limits are those of each board.
   *
   * @example
   * ```ts
   * for await (const { number, solution, error } of solver.solveList(boards, { signal })) {
   *   console.log(number, solution ? solution.moves : error.message);
   * }
   * ```
   *
   * @throws CancelledError, InputError for options. Leaving the loop ends the search that runs.
   */
  solveList(
    boards: Iterable<BoardLike>,
    options?: SolveListOptions,
  ): AsyncGenerator<ListEntry, void, undefined>;
  /**
   * All optimal solutions, and longer ones with `within`.
   *
   * @example
   * ```ts
   * const { count, solutions } = await solver.allSolutions("8 6 7/2 5 4/3 0 1");
   * ```
   *
   * @throws UnsolvableError, LimitError, CancelledError, InputError
   */
  allSolutions(board: BoardLike, options?: AllSolutionsOptions): Promise<Report>;
  /** Distance to the goal, and good moves; the best known ones if `maxTime` is short. */
  hint(board: BoardLike, options?: AdviceOptions): Promise<Hint>;
  /** Judges the moves of a game. */
  rate(board: BoardLike, moves: string, options?: AdviceOptions): Promise<Rating>;
  /** Values of the tables for a board. */
  probe(board: BoardLike): Promise<Probe>;
  /** Proves every entry of every table by the puzzle's moves. */
  verify(options?: {
    signal?: AbortSignal;
    onProgress?: (progress: TableProgress) => void;
  }): Promise<readonly TableInfo[]>;
  /**
   * Builds the tables of other goal cells of the blank that are missing, with which boards are
   * searched from both sides, where that is quick enough: for a solver that was made with
   * `bothSides: false`, so that its first answer does not wait for them. Calls after it wait,
   * unless
   * it is cancelled. `tables` does not list them.
   *
   * @throws CancelledError
   */
  openOtherGoals(options?: { signal?: AbortSignal }): Promise<void>;
  /** The bytes of a table file, as `pdb-gen` writes it. */
  table(file: string): Promise<Uint8Array>;
  /** Ends the worker and frees its memory; calls that run or wait are rejected. */
  close(): void;
}

/** Options of plots of a comparison. */
export interface PlotOptions {
  /** Of which boards, as in the records; by default those of the first record. */
  set?: string;
  size?: string;
  /** In pixels; 960 by default. */
  width?: number;
  /** Without title, legend and names of the axes, for pages that have their own. */
  bare?: boolean;
  /**
   * Words in place of the English ones: searches and heuristics by their names in records, titles
   * by the names of plots, and `boards`, `and`, `mean`, `shortest`, `generated`, `length`,
   * `shortest-length`, `ms`, `share`, `distance`, `value`, `walk`, `admissible`, `as-many`,
   * `boxes`, `counts`, and `limit`, such as "{} of {} at a limit".
   */
  names?: Record<string, string>;
}

/** A plot of a comparison. */
export interface Plot {
  name: "nodes" | "spread" | "time" | "solved" | "h" | "walk-nodes" | "walk-length";
  title: string;
  /** Quantities of the axes; `y` is empty if boxes are drawn in rows. */
  x: string;
  y: string;
  /** Meaning of the dashed line. */
  guide?: string;
  /**
   * A document. Its colours are classes as well, for the style of a page: `ink`, `faint`, `paper`
   * and `series-0` to `series-7`; `fill` is filled. Groups have `data-series`, a number from 0.
   */
  svg: string;
  /** The series with their samples for a legend, as SVG. */
  series: { label: string; sample: string }[];
}

/** Textbook heuristics and searches, in a worker of their own. */
export interface Laboratory {
  /** Values of heuristics on a board, explained; by default all that are at hand. */
  explain(board: BoardLike, options?: ExplainOptions): Promise<Explanation[]>;
  /** The names of the heuristics at hand for a size: those that take no more than a moment. */
  heuristics(size: Size): Promise<HeuristicName[]>;
  /** Runs searches with heuristics on boards. */
  compare(options: CompareOptions): Promise<ComparisonRecord[]>;
  /** Plots of records, those that have something to show: SVG, as `solver compare` writes it. */
  plots(records: readonly ComparisonRecord[], options?: PlotOptions): Promise<Plot[]>;
  /** Ends the worker; calls that run or wait are rejected. */
  close(): void;
}
