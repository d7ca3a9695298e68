/**
 * Types of arguments and results. Results have the fields of `solver --json` (docs/json.md of the
 * repository).
 */
import type { PuzzleError } from "./error.js";

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
export type Notation = "tile" | "blank" | "numbers";

/** Definition of one move: one tile by one cell (`"single"`), or a run of tiles (`"multi"`). */
export type Metric = "single" | "multi";

/**
 * The kind of answer. `"optimal"`: a proved shortest solution. `"strategic"`: an immediate solution
 * by a method that people can follow. `"anytime"`: an immediate solution, then shorter ones until a
 * limit is reached.
 */
export type Mode = "optimal" | "strategic" | "anytime";

/**
 * The start of the search: the board, the goal, or the side that is expected to need fewer nodes
 * (`"auto"`, the default). `"goal"` causes an InputError if the tables for a search from the goal
 * are missing.
 */
export type Side = "auto" | "start" | "goal";

/** A parsed board. */
export interface Board {
  /** The rows, separated by slashes: a form that every function accepts. */
  board: string;
  /** Columns x rows. */
  size: Size;
  columns: number;
  rows: number;
  /** The board's numbers in reading order, 0 for the blank. */
  tiles: number[];
  /** The goal, if the text states one. */
  goal?: string;
  /** Guesses about the form of the text, one sentence each; absent if there are none. */
  notes?: string[];
}

/** A board of a list, or the error of an entry that is none. */
export type ParsedLine = {
  /** Number of the entry's first line, from 1. */
  line: number;
  /** The text of the entry. */
  text: string;
} & ((Board & { known?: number; error?: undefined }) | { error: string });

/** Solvability of a board. */
export interface Solvability {
  /** Whether the goal can be reached. */
  solvable: boolean;
  /** The reason if the goal cannot be reached. */
  message?: string;
  /**
   * Two tiles whose swap makes the board solvable, if one swap suffices; the smaller number first.
   */
  swap?: [number, number];
  /**
   * Whether an odd number of swaps turns the board into the goal. A swap exchanges two tiles, or a
   * tile and the blank.
   */
  is_odd?: boolean;
  /** Distance of the blank from its goal cell, in moves. */
  blank_distance?: number;
  /** If the goal cannot be reached: the names of other goals that can be. */
  reachable_goals?: string[];
}

/** A random board. */
export interface Scrambled {
  /** Seed of the random generator. */
  seed: number;
  /** Number of the board, from 1. */
  number: number;
  /** The board, in rows. */
  board: string;
  /** With the option `moves`: the moves that lead from the goal to the board. */
  scramble?: string;
}

/** Result of applying moves. */
export interface Applied {
  /** The board before the moves. */
  board: string;
  /** The given moves. */
  moves: string;
  /** Number of single moves. */
  length: number;
  /** The board after the moves. */
  result: string;
  /** Whether that board is the goal. */
  solved: boolean;
}

/** The first invalid or impossible move of a text, in an {@link InputError}. */
export interface MoveFault {
  /**
   * `"unknown"`: not a move. `"edge"`: the blank is at the edge, so no tile can move in this
   * direction. `"apart"`: the tile is not beside the blank. `"count"`: too many moves.
   */
  reason: "unknown" | "edge" | "apart" | "count";
  /** Number of the move, from 1; each slide of one tile by one cell is a move. */
  number: number;
  /** Range of the move in the text, in UTF-16 units, with its repeat count. `end` is exclusive. */
  start: number;
  end: number;
  /** For `edge`: the direction in which no tile can move. */
  direction?: "U" | "D" | "L" | "R";
  /** The board before the move, in reading order. */
  tiles: number[];
}

/**
 * Outcome of solving a board: the object of `solver --json`. Fields that do not apply are absent.
 */
export interface Report {
  /** The board as parsed. */
  board?: string;
  /**
   * `solved` in the result of a call, `improved` in the reports for `onImproved`. The other values
   * occur only in the reports of errors.
   */
  status: "solved" | "improved" | "unsolvable" | "limit" | "error";
  /** The requested mode. */
  mode?: Mode;
  /** Number of moves, in the solver's metric. */
  length?: number;
  /** Whether the solution is proved to be shortest. */
  optimal?: boolean;
  /** Same as `optimal`. */
  proved?: boolean;
  /**
   * Method that found the solution. `search`: IDA*. `strategic`: the method that people can follow.
   * `beam`: beam search. `window`: shortening of a longer solution, stretch by stretch.
   */
  method?: "search" | "strategic" | "beam" | "window";
  /** The moves, such as `"U2RD"`; empty if the board is solved. */
  moves?: string;
  /** The steps of a strategic solution, with `explain`. */
  steps?: Step[];
  /** For `allSolutions`: the number of optimal solutions. */
  count?: number;
  /**
   * For `allSolutions` with `within`: the number of solutions that are 0, 1, ... moves longer than
   * an optimal solution.
   */
  counts?: number[];
  /**
   * For `allSolutions` without the option `count`: up to `most` solutions, the shortest first. The
   * field `moves` contains the first solution.
   */
  solutions?: string[];
  /** Nodes generated: children of expanded nodes, over all iterations. */
  nodes?: number;
  /** Nodes expanded. */
  expanded?: number;
  /** Milliseconds of the search. Absent without a search, as for unsolvable boards. */
  ms?: number;
  /** The heuristic's value for the board. */
  h0?: number;
  /** Proved lower bound of the length. */
  bound?: number;
  /** Cost of each iteration of IDA*. */
  iterations?: Iteration[];
  /** Number of threads available to the search. */
  threads?: number;
  /** Name of the partition of the search. */
  tables?: string;
  /** For an unsolvable board: two tiles whose swap makes it solvable, the smaller one first. */
  swap?: [number, number];
  /** For an unsolvable board: the names of other goals that it can reach. */
  reachable_goals?: string[];
  /** Guesses about the form of the board's text, one sentence each. */
  notes?: string[];
  /** The reason why there is no solution. */
  message?: string;
}

/** One depth-first search of IDA*. */
export interface Iteration {
  /** Maximum path length of the iteration. */
  bound: number;
  /** Nodes generated in the iteration. */
  nodes: number;
  /** Nodes expanded in the iteration. */
  expanded: number;
  /** `"goal"` if the iteration searched from the goal; absent if it searched from the board. */
  side?: "goal";
}

/** The report of a solved board, to which `solve` resolves. */
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
   * `place`: a tile moves to a cell. `corner`: the last two tiles of a row or column go to their
   * cells together. `finish`: the last cells are ordered. `slide`: moves on a tray of one row or
   * column.
   */
  action: "place" | "corner" | "finish" | "slide";
  /** For `place`: the tile. */
  tile?: number;
  /** For `place`: the row of the cell to which the tile moves. */
  row?: number;
  /** For `place`: the column of the cell to which the tile moves. */
  column?: number;
  /** For `corner` and `finish`: the tiles. */
  tiles?: number[];
  /** Number of moves of the step. */
  length: number;
  /** The moves of the step. The moves of all steps together are the solution. */
  moves: string;
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

/** One or several tiles that slide together. */
export interface TileMove {
  /** The numbers of the tiles; the tile next to the blank is first. */
  tiles: number[];
  /** The move, as the direction of the tile. */
  moves: string;
}

/** A hint for a board. */
export interface Hint {
  /** The board. */
  board: string;
  /** Distance to the goal. */
  distance: number;
  /** Proved lower bound of the distance. */
  bound: number;
  /** Whether the distance is proved and `moves` contains all good moves. */
  exact: boolean;
  /** The good moves, each of which starts a shortest solution. Empty if the board is the goal. */
  moves: TileMove[];
  /** A solution of length `distance`. */
  solution: string;
  /** Generated nodes of all searches. */
  nodes: number;
  /** The name of the partition. */
  tables: string;
}

/** Rating of a game. */
export interface Rating {
  /** The board at the start. */
  board: string;
  /** The given moves. */
  moves: string;
  /** Distance to the goal before the game. */
  distance: number;
  /** Proved lower bound of that distance. */
  bound: number;
  /** Whether all distances are proved. */
  exact: boolean;
  /** Number of moves. */
  length: number;
  /** Distance to the goal after the last move. */
  left: number;
  /** Number of moves that stayed on a shortest solution. */
  kept: number;
  /** Excess moves: `length` + `left` - `distance`. */
  lost: number;
  /** Percentage of moves that stayed on a shortest solution. */
  credit: number;
  /** 100 x distance / (length + left). */
  efficiency: number;
  /**
   * The consecutive losing moves (`lost` above 0) with the largest total loss. `first` and `last`
   * are numbers of moves, from 1. Absent if there are no losing moves.
   */
  worst?: { first: number; last: number; lost: number };
  /** The moves, one by one. */
  steps: RatedMove[];
  /** Generated nodes of all searches. */
  nodes: number;
  /** The name of the partition. */
  tables: string;
}

/** A move of a game. */
export interface RatedMove extends TileMove {
  /** Distance to the goal after the move. */
  distance: number;
  /** Proved lower bound of that distance. */
  bound: number;
  /** Whether the move stayed on a shortest solution. */
  kept: boolean;
  /** Number of excess moves that the move caused. */
  lost: number;
  /** If `kept` is false: a move that stays on a shortest solution. */
  better?: TileMove;
}

/** Values of the tables for a board, without a search: docs/json.md, "A probe". */
export interface Probe {
  /** The board. */
  board: string;
  /** The name of the partition. */
  tables: string;
  /** The heuristic's value, a lower bound of the solution length. */
  estimate: number;
  /** Value of the table-free heuristic, if it is used. */
  table_free?: number;
  /**
   * The partitions and their images under the symmetries of the goal. `estimate` is the maximum of
   * `table_free` and the `sum` of each view.
   */
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
  /** The solver's patterns whose values are in this table, as numbers on tiles. */
  serves: number[][];
  /** Kind of its values: `zero-aware`, `blank-compressed`, `full`, `runs`. */
  kind: string;
  /** Encoding of its entries: `one-bit`, `mod-3`, `u8`. */
  encoding: string;
  /** Number of entries. */
  entries: number;
  /** Bytes in memory. */
  bytes: number;
  /** The largest value. */
  max: number;
  /**
   * Verification of the table. `"built"`: built here. `"sums"`: loaded, with correct checksums.
   * `"proved"`: `Solver.verify` has proved every entry.
   */
  verified: "built" | "sums" | "proved";
}

/** Progress of preparing tables. */
export interface TableProgress {
  /** Stage: building, downloading, unpacking, or proving entries. */
  stage: "build" | "download" | "unpack" | "verify";
  /** Index of the current table, from 0, and total number of tables. */
  table: number;
  tables: number;
  /** Finished fraction of the stage, from 0 to 1. The stage covers all tables. */
  done: number;
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
   * Address of the manifest of a bundle (`.../manifest.json`), or of a single-file bundle. `pdb-gen
   * pack` writes both kinds of bundles. Only the tables that the solver needs are downloaded,
   * stored in the browser, and checked.
   */
  | URL
  /** Bytes of table files (`.pdb`), packed tables (`.pdbz`) or a single-file bundle. */
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
export interface SolverOptions {
  /** By default the size of `goal` if `goal` is a board, otherwise 4x4. */
  size?: Size;
  /** Default `"blank-last"`. */
  goal?: GoalLike;
  /** Default `"single"`. */
  metric?: Metric;
  /**
   * The partition, as for `solver --partition`: `"6-6-3"`, a preset, or lists of tiles. If `tables`
   * is a bundle, the default is the partition of the bundle. Otherwise the default is the first
   * partition of the list `Puzzle.partitions` that can be built within `maxBuildTime`.
   */
  partition?: string;
  /** Default `"build"`. */
  tables?: TableSource;
  /**
   * Maximum estimated time for building tables, in milliseconds. The estimate is for native code on
   * one core of a desktop machine; WebAssembly takes about twice as long. Default 1500, or 4000 in
   * the metric `"multi"`; no default limit if `partition` is given. A `partition` whose tables take
   * longer than a given limit causes a TableError.
   */
  maxBuildTime?: number;
  /**
   * Whether to prepare searches from the goal (`side`). For most boards they need additional
   * tables, of other goal cells of the blank. Default true: the solver builds the additional tables
   * if this takes little time (a quarter of a second for 6-6-3), or reads them from `tables` packed
   * with `--both-sides`. `false`: the solver has no additional tables until
   * `Solver.openOtherGoals` is called.
   */
  bothSides?: boolean;
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

/** Limits of a call, and the signal that cancels it. */
export interface CallOptions {
  /** Cancels the call within milliseconds. The solver keeps its tables. */
  signal?: AbortSignal;
  /**
   * Time limit in milliseconds, above 0. Anytime searches without any limit end after ten seconds.
   */
  maxTime?: number;
  /** Maximum number of generated nodes, at least 1. */
  maxNodes?: number;
  /**
   * Number of threads for this search, at most `Solver.threads`. The default and 0 mean all threads
   * of the solver.
   */
  threads?: number;
  /** Whether to search from the board or the goal. Default `"auto"`. Not for strategic answers. */
  side?: Side;
}

/** Options of solving a board. An option that `mode` does not support causes an InputError. */
export interface SolveOptions extends CallOptions {
  /** Default `"optimal"`. */
  mode?: Mode;
  /** For strategic answers: a shorter solution, which is less easy to follow. */
  short?: boolean;
  /** For strategic answers: includes `steps`. Cannot be combined with `short`. */
  explain?: boolean;
  /**
   * For anytime answers: stop if the length exceeds the proved bound by at most this fraction, such
   * as 0.05 for 5 %. For optimal answers: as in {@link AllSolutionsOptions}.
   */
  within?: number;
  /** Notation of the moves. Default `"tile"`. */
  notation?: Notation;
  /** Receives the progress of the search, at most 20 times per second. */
  onProgress?: (progress: SearchProgress) => void;
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
export interface AllSolutionsOptions extends CallOptions {
  /**
   * Also finds solutions that exceed the optimal length by at most this number of moves. The number
   * is a whole number up to 1000, and only allowed in the metric `"single"`. If `within` is set,
   * even to 0, the report contains `counts`.
   */
  within?: number;
  /** Maximum number of listed solutions. Default 1,000. */
  most?: number;
  /** Only counts the solutions and omits `solutions`. Cannot be combined with `most`. */
  count?: boolean;
  /** Notation of the moves. Default `"tile"`. */
  notation?: Notation;
  /** Receives the progress of the search, at most 20 times per second. */
  onProgress?: (progress: SearchProgress) => void;
}

/** Options of hints. */
export interface AdviceOptions extends CallOptions {
  /** Receives the progress of the search, at most 20 times per second. */
  onProgress?: (progress: SearchProgress) => void;
}

/** A name of a heuristic: zero, misplaced, manhattan, ..., or a partition such as 6-6-3. */
export type HeuristicName = string;

/** Explanation of a heuristic's value for a board. */
export interface Explanation {
  /** Name of the heuristic. */
  heuristic: HeuristicName;
  /** Value for the board, a lower bound of the solution length. */
  value: number;
  /** Whether no other heuristic has a larger value. */
  is_largest: boolean;
  /**
   * Whether the values of neighbouring boards differ by at most the cost of the move between them.
   */
  is_consistent: boolean;
  /** Authors and publication. */
  source: string;
  /** Terms of the value, each with its description, tiles and value. */
  terms: { words: string; tiles: number[]; value: number }[];
}

/** Options of explanations. */
export interface ExplainOptions {
  /** Default `"blank-last"`. */
  goal?: GoalLike;
  /** Default: the names that `Laboratory.heuristics` returns for the board's size. */
  heuristics?: HeuristicName[];
  signal?: AbortSignal;
}

/** Options of a laboratory. */
export interface LaboratoryOptions {
  /** The WebAssembly file, by default this package's own `wasm-laboratory`. */
  wasm?: WasmSource;
  /** As in `SolverOptions`. */
  worker?: boolean;
  /** As in `SolverOptions`. Laboratories use only `workerLaboratory` and `wasmLaboratory`. */
  urls?: FileUrls;
}

/** Options of a comparison. */
export interface CompareOptions extends Omit<CallOptions, "threads" | "side"> {
  /** Sizes, each with its own set of boards. Default `["3x3"]`. */
  sizes?: Size[];
  /** The goal of all boards: a name, or a board if all boards have one size. */
  goal?: GoalLike;
  /** Boards for the comparison, instead of random boards. */
  boards?: BoardLike[];
  /** Number of random boards per set. Default 100. */
  number?: number;
  /** Numbers of random moves from the goal. A separate set of boards is created for each number. */
  moves?: number[];
  /** Seed of the random boards. Default 0. */
  seed?: number;
  /** Names of heuristics, such as `manhattan` or `6-6-3`. */
  heuristics: HeuristicName[];
  /**
   * `breadth-first`, `uniform-cost`, `greedy`, `astar`, `weighted-astar:1.5`, `ida-star`,
   * `bidirectional`.
   */
  searches: string[];
  /** Memory limit for the nodes of one search, in bytes. */
  maxMemory?: number;
  /** Receives the record of each search when the search ends. */
  onRecord?: (record: ComparisonRecord, progress: { finished: number; runs: number }) => void;
  /**
   * Receives the progress of the current search at most 20 times per second, and the end of each
   * iteration of `ida-star`.
   */
  onProgress?: (progress: LaboratoryProgress) => void;
}

/** The progress of a search of the laboratory. */
export interface LaboratoryProgress {
  /** Nodes generated so far. */
  generated: number;
  /** Milliseconds since the start of the search. */
  ms: number;
  /** For `ida-star`: the bound of the current iteration; 0 for other searches. */
  bound: number;
  /** For `ida-star`: the iteration that has just ended. */
  ended?: { bound: number; generated: number; expanded: number };
}

/** Result of one search of a comparison (docs/json.md, "A search of a comparison"). */
export interface ComparisonRecord {
  /** The set of boards: `random`, `walk-K` (K random moves from the goal), `given`. */
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
  /** The name of the heuristic; `none` for searches without one. */
  heuristic: HeuristicName;
  /** Whether the search found a solution. */
  status: "solved" | "limit";
  /** The limit that stopped the search. */
  limit?: "nodes" | "memory" | "time";
  /** Length of the solution found. */
  length?: number;
  /** Length of a shortest solution, if known. */
  optimal_length?: number;
  /** The solution, as directions of the tiles. */
  moves?: string;
  /** The heuristic's value for the board. */
  h0: number;
  /** Generated nodes: children of expanded nodes, except those that undo the last move. */
  generated: number;
  /** Expanded nodes. */
  expanded: number;
  /** Number of expanded nodes to which a shorter path was found later. */
  reopened: number;
  /** Maximum number of nodes stored at the same time. */
  peak: number;
  /** Memory of these `peak` nodes, in bytes. */
  peak_bytes: number;
  /** The effective branching factor. */
  branching_factor?: number;
  /** Milliseconds of the search. */
  ms: number;
  /** For `ida-star`: its iterations. */
  iterations?: { bound: number; generated: number; expanded: number }[];
}

/** Options of random boards. */
export interface ScrambleOptions {
  /** By default the size of `goal` if `goal` is a board, otherwise 4x4. */
  size?: Size;
  /** Default `"blank-last"`. */
  goal?: GoalLike;
  /** Number of boards. Default 1. */
  number?: number;
  /** Number of random moves from the goal; without it the boards are uniformly random. */
  moves?: number;
  /** Seed: equal seeds give equal boards. By default random. */
  seed?: number;
}

/** Options of applying moves. */
export interface ApplyOptions {
  /**
   * The goal of the puzzle. The field `solved` of the result tells whether the moves lead to this
   * goal. Default `"blank-last"`.
   */
  goal?: GoalLike;
  /** Notation of the moves; guessed by default. */
  notation?: Notation;
}

/** Options of drawing a board. */
export interface DrawOptions {
  /** The goal; tiles on their goal cells are drawn differently. Default `"blank-last"`. */
  goal?: GoalLike;
  /** Default `"text"`. */
  style?: "text" | "svg";
  /** Moves to animate in an SVG picture. */
  moves?: MovesLike;
}

/** The rules of the puzzle: synchronous functions on the calling thread. */
export interface Puzzle {
  /**
   * Parses a board in any notation. Without `size`, the rows of the board determine its size. A
   * board without rows must then be square.
   */
  parse(board: BoardLike, size?: Size): Board;
  /**
   * Parses a list: boards on one line each, with an identifier before and the length after the
   * board if there are any, or on several lines. Entries of another size than `size` are errors.
   */
  parseList(text: string, size?: Size): ParsedLine[];
  /** Parses a goal, given by name or as a board. */
  goal(goal: GoalLike, size?: Size): Board;
  /** Whether the goal can be reached; if not, the reason. */
  solvability(board: BoardLike, goal?: GoalLike): Solvability;
  /**
   * Uniformly random boards, or boards made by `moves` random moves from the goal. By default one
   * board, with a random `seed`.
   */
  scramble(options?: ScrambleOptions): Scrambled[];
  /** Applies moves in any notation. */
  apply(board: BoardLike, moves: MovesLike, options?: ApplyOptions): Applied;
  /** The boards before and after each move, starting with `board`. */
  boardsAlong(board: BoardLike, moves: MovesLike, options?: { notation?: Notation }): string[];
  /** Translates moves of a board to the notation `to`. Detects the notation `from` by default. */
  convert(board: BoardLike, moves: MovesLike, to: Notation, from?: Notation): string;
  /** The moves that undo the given moves. */
  invert(moves: MovesLike, notation?: Notation): string;
  /** Draws a board: as text, as an SVG picture, or as an SVG animation of moves. */
  draw(board: BoardLike, options?: DrawOptions): string;
  /**
   * Names of the partitions among which a solver chooses by default, the largest first. The solver
   * uses the first partition that can be built within `maxBuildTime`. Empty if no tables are
   * possible.
   */
  partitions(size: Size, metric?: Metric): string[];
  /** The version of this package. */
  readonly version: string;
}

/** A solver for one goal, in a separate worker. One call runs at a time; later calls wait. */
export interface Solver {
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
  readonly reason?: string | undefined;
  /** The solver's tables; `verify` marks them as proved. */
  readonly tables: readonly TableInfo[];
  /** Threads in use: the requested number, or 1 if several are not possible. */
  readonly threads: number;
  /** Milliseconds for preparing the tables. */
  readonly ms: number;
  /** Warnings that did not stop the work, such as tables that could not be stored. */
  readonly warnings: readonly string[];
  /** Current size of the WebAssembly memory, in bytes. */
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
  solveList(
    boards: Iterable<BoardLike>,
    options?: SolveListOptions,
  ): AsyncGenerator<ListEntry, void, undefined>;
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
  allSolutions(board: BoardLike, options?: AllSolutionsOptions): Promise<Report>;
  /**
   * The distance to the goal and the good moves, or the best known moves if `maxTime` is too short.
   */
  hint(board: BoardLike, options?: AdviceOptions): Promise<Hint>;
  /** Rates the moves of a game. */
  rate(board: BoardLike, moves: MovesLike, options?: AdviceOptions): Promise<Rating>;
  /** Values of the tables for a board. */
  probe(board: BoardLike): Promise<Probe>;
  /** Proves that every entry of every table is correct, by applying the puzzle's moves. */
  verify(options?: {
    signal?: AbortSignal;
    onProgress?: (progress: TableProgress) => void;
  }): Promise<readonly TableInfo[]>;
  /**
   * Builds the missing tables for searches from the goal (tables of other goal cells of the blank),
   * if the build is quick enough. A solver with `bothSides: false` can answer its first call before
   * this build. Calls made during the build wait until the build ends or is cancelled.
   * `Solver.tables` does not list the new tables.
   *
   * @throws CancelledError
   */
  openOtherGoals(options?: { signal?: AbortSignal }): Promise<void>;
  /** The bytes of a table file, equal to those that `pdb-gen` writes. */
  table(file: string): Promise<Uint8Array>;
  /** Ends the worker and frees its memory; running and waiting calls are rejected. */
  close(): void;
}

/** Options of plots of a comparison. */
export interface PlotOptions {
  /** The size and set of boards, as in the records; by default those of the first record. */
  set?: string;
  size?: string;
  /** Width in pixels. Default 960. */
  width?: number;
  /** Omits title, legend and axis titles, for pages that have their own. */
  bare?: boolean;
  /**
   * Translations of the texts in plots. The name of a search or heuristic is a key. The name of a
   * plot is the key of its title. The other keys are `boards`, `and`, `mean`, `shortest`,
   * `generated`, `length`, `shortest-length`, `ms`, `share`, `distance`, `value`, `walk`,
   * `admissible`, `as-many`, `boxes`, `counts` and `limit` (such as "{} of {} at a limit").
   */
  names?: Record<string, string>;
}

/** A plot of a comparison. */
export interface Plot {
  name: "nodes" | "spread" | "time" | "solved" | "h" | "walk-nodes" | "walk-length";
  title: string;
  /** Quantities of the axes. Box plots have no quantity on the vertical axis; `y` is then empty. */
  x: string;
  y: string;
  /** Meaning of the dashed line. */
  guide?: string;
  /**
   * An SVG document. Style sheets can change its colours through the classes `ink`, `faint`,
   * `paper` and `series-0` to `series-7`. The class `fill` marks filled shapes. The attribute
   * `data-series` of a group is the number of its series, from 0.
   */
  svg: string;
  /** The series for a legend, each with a sample as SVG. */
  series: { label: string; sample: string }[];
}

/** Textbook heuristics and searches, in a separate worker. */
export interface Laboratory {
  /** Explains the values of heuristics for a board. */
  explain(board: BoardLike, options?: ExplainOptions): Promise<Explanation[]>;
  /** Names of the heuristics that are quick to build for a size. */
  heuristics(size: Size): Promise<HeuristicName[]>;
  /** Runs searches with heuristics on boards. */
  compare(options: CompareOptions): Promise<ComparisonRecord[]>;
  /** Draws the plots of `solver compare` as SVG. Plots without data in the records are omitted. */
  plots(records: readonly ComparisonRecord[], options?: PlotOptions): Promise<Plot[]>;
  /** Ends the worker; running and waiting calls are rejected. */
  close(): void;
}
