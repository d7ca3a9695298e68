/** Requests of the caller's thread and answers of the worker. */
import type { Bytes } from "./address.js";
import type { Event } from "./contract.js";
import type { WireError } from "./error.js";

/** Operations: names, arguments and values. */
export interface Operations {
  /** Answers a question of the module, whose request is a JSON text. */
  ask(request: string): unknown;
  /** Adds a table from the bytes of its file. */
  add(bytes: Bytes): string;
  table(file: string): Bytes;
  sha256(bytes: Bytes): string;
  memory(): number;
}

export type OperationName = keyof Operations;
export type Arguments<Name extends OperationName> = Parameters<Operations[Name]>;
export type Value<Name extends OperationName> = ReturnType<Operations[Name]>;

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
