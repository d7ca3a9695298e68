/** Requests of the caller's thread and answers of the worker. */
import type { Bytes } from "./address.js";
import type { WireError } from "./error.js";
import type {
  Board,
  ComparisonRecord,
  Explanation,
  Hint,
  LaboratoryProgress,
  Metric,
  Plot,
  Probe,
  Rating,
  Report,
  Solution,
  SearchProgress,
  TableInfo,
  TableProgress,
} from "./types.js";

/** A request to the module: the options by their JSON names, without undefined options. */
export type Request = Record<string, unknown>;

/** Description of a solver. */
export interface SolverInfo {
  goal: Board;
  metric: Metric;
  partition: string;
  reason?: string;
  tables: TableInfo[];
}

/** The names of a solver's table files. */
export interface TableFiles {
  needed: string[];
  /** The optional files, for searches from the goal to the board. */
  others: string[];
}

/** Operations of solvers: names, arguments and values. */
export interface SolverOperations {
  sha256(bytes: Bytes): string;
  /** Starts creating a solver. */
  open(request: Request): TableFiles;
  add(bytes: Bytes): string;
  /** Builds the missing tables. */
  build(): void;
  /** Creates the solver from the tables that were added or built. */
  finish(): SolverInfo;
  openOtherGoals(): void;
  memory(): number;
  solve(board: string, request: Request): Solution;
  allSolutions(board: string, request: Request): Report;
  hint(board: string, request: Request): Hint;
  rate(board: string, moves: string, request: Request): Rating;
  probe(board: string): Probe;
  verify(): TableInfo[];
  table(file: string): Bytes;
}

/** Operations of laboratories. */
export interface LaboratoryOperations {
  heuristics(size: string): string[];
  explain(request: Request): Explanation[];
  compare(request: Request): ComparisonRecord[];
  plots(request: Request): Plot[];
}

export type Operations = SolverOperations & LaboratoryOperations;
export type OperationName = keyof Operations;
export type Arguments<Name extends OperationName> = Parameters<Operations[Name]>;
export type Value<Name extends OperationName> = ReturnType<Operations[Name]>;

/** Events of a running operation. */
export type Event =
  | { type: "tables"; progress: TableProgress }
  | { type: "search"; progress: SearchProgress }
  | { type: "improved"; report: Solution }
  | { type: "record"; record: ComparisonRecord; finished: number; runs: number }
  | { type: "laboratory"; progress: LaboratoryProgress };

/**
 * Way in which a worker detects a cancellation during a call. `flag`: by a number in shared memory.
 * `address`: by a blob URL that becomes unreadable. `none`: not at all, so the worker is
 * terminated.
 */
export type CancelWay = "flag" | "address" | "none";

/** The first message to a worker. */
export interface Begin {
  type: "begin";
  module: WebAssembly.Module;
  /** The memory shared with the helpers, which join next; absent without helpers. */
  memory?: WebAssembly.Memory;
  /** Shared memory with the ids of the last cancelled call and of the running call. */
  flag?: Int32Array;
  /** A blob URL that is readable as long as the caller's thread exists. */
  address?: string;
}

/** The first message to a helper. */
export interface Help {
  type: "help";
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
  flag: Int32Array;
}

/** Message to a worker with helpers: all helpers have joined. */
export interface Gather {
  type: "gather";
  helpers: number;
}

/** A call. `id` counts from 1. */
export interface Call {
  type: "call";
  id: number;
  name: OperationName;
  args: unknown[];
  /** A blob URL that is revoked when the call is cancelled. */
  address?: string;
}

export type ToWorker = Begin | Help | Gather | Call;

export type FromWorker =
  | { type: "ready"; way: CancelWay }
  | { type: "helping" }
  | { type: "failed"; error: WireError }
  | { type: "event"; id: number; event: Event }
  | { type: "value"; id: number; value: unknown }
  | { type: "error"; id: number; error: WireError };
