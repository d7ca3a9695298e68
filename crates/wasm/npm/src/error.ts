/** Error classes, and the plain objects that carry them between threads. */
import type { MoveFault, Report } from "./types.js";

/**
 * Kind of error: `error` (an invalid request, or a defect), `unsolvable`, `limit`, `cancelled`,
 * `table` (damaged or foreign tables), `download`, `storage`, `memory`, `unsupported` (the host
 * lacks a feature).
 */
export type ErrorCode =
  | "error"
  | "unsolvable"
  | "limit"
  | "cancelled"
  | "table"
  | "download"
  | "storage"
  | "memory"
  | "unsupported";

/**
 * Base class of the errors of this package. `code` is the kind; the message is a readable sentence.
 *
 * @example
 * ```ts
 * try {
 *   await solver.solve(board, { signal });
 * } catch (error) {
 *   if (!(error instanceof PuzzleError)) throw error;
 *   if (error.code === "cancelled") return;
 *   show(error.message);
 * }
 * ```
 */
export class PuzzleError extends Error {
  readonly code: ErrorCode;

  constructor(message: string, code: ErrorCode = "error", options?: ErrorOptions) {
    super(message, options);
    this.name = "PuzzleError";
    this.code = code;
  }
}

/** An invalid board, goal, option or list of moves. Code `error`. */
export class InputError extends PuzzleError {
  /** For a list of moves: the first move that is invalid or impossible. */
  readonly fault?: MoveFault;

  constructor(message: string, options?: ErrorOptions & { fault?: MoveFault }) {
    super(message, "error", options);
    this.name = "InputError";
    if (options?.fault) this.fault = options.fault;
  }
}

/** The board has no solution; `report.swap` names two tiles whose swap makes it solvable. */
export class UnsolvableError extends PuzzleError {
  readonly report: Report;

  constructor(message: string, report: Report) {
    super(message, "unsolvable");
    this.name = "UnsolvableError";
    this.report = report;
  }
}

/** `maxTime` or `maxNodes` was reached; `report.bound` is the bound proved until then. */
export class LimitError extends PuzzleError {
  readonly report: Report;

  constructor(message: string, report: Report) {
    super(message, "limit");
    this.name = "LimitError";
    this.report = report;
  }
}

/** The caller's signal was aborted, or the solver was closed. `cause` is the signal's reason. */
export class CancelledError extends PuzzleError {
  /** For anytime searches: the best solution found, if any. */
  readonly report?: Report;

  constructor(message = "cancelled", options?: ErrorOptions & { report?: Report }) {
    super(message, "cancelled", options);
    this.name = "CancelledError";
    if (options?.report) this.report = options.report;
  }
}

/** Damaged tables, or tables of another puzzle. */
export class TableError extends PuzzleError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, "table", options);
    this.name = "TableError";
  }
}

/** A file could not be downloaded, or two attempts returned damaged bytes. */
export class DownloadError extends PuzzleError {
  readonly url: string;
  /** The HTTP status, if the server answered. */
  readonly status?: number;

  constructor(message: string, url: string, options?: ErrorOptions & { status?: number }) {
    super(message, "download", options);
    this.name = "DownloadError";
    this.url = url;
    if (options?.status !== undefined) this.status = options.status;
  }
}

/** The browser's storage is denied or damaged. Solvers work without it. */
export class StorageError extends PuzzleError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, "storage", options);
    this.name = "StorageError";
  }
}

/** Out of memory. The next call starts a new worker. */
export class MemoryError extends PuzzleError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, "memory", options);
    this.name = "MemoryError";
  }
}

/** The host has no WebAssembly, or does not allow workers. */
export class UnsupportedError extends PuzzleError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, "unsupported", options);
    this.name = "UnsupportedError";
  }
}

/** An error in the form that threads send to each other. */
export interface WireError {
  code: ErrorCode;
  message: string;
  report?: Report;
  fault?: MoveFault;
  /** Whether the error makes the module's instance unusable. */
  isFatal?: boolean;
}

/** Converts an exception. The module throws JSON texts; any other exception is a defect. */
export function toWire(thrown: unknown): WireError {
  if (typeof thrown === "string") {
    try {
      const { code, message, fault, ...rest } = JSON.parse(thrown) as WireError & Report;
      const wire: WireError = { code, message: message ?? code };
      if (fault) wire.fault = fault;
      // A cancelled anytime search can have an answer: its best solution.
      const isAnswer = code === "cancelled" && rest.moves !== undefined;
      const isOutcome = rest.status !== undefined && (code === "unsolvable" || code === "limit");
      if (isOutcome || isAnswer) wire.report = { ...rest, message };
      return wire;
    } catch {
      return { code: "error", message: thrown };
    }
  }
  if (thrown instanceof PuzzleError) return { code: thrown.code, message: thrown.message };
  const message = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  const isMemory = thrown instanceof RangeError && /memory|allocation|buffer/i.test(message);
  return { code: isMemory ? "memory" : "error", message, isFatal: true };
}

/** Restores the class of an error from another thread. */
export function fromWire(wire: WireError): PuzzleError {
  const { message } = wire;
  switch (wire.code) {
    case "unsolvable":
    case "limit": {
      const report = wire.report ?? { status: wire.code, message };
      const Outcome = wire.code === "limit" ? LimitError : UnsolvableError;
      return new Outcome(message, report);
    }
    case "cancelled":
      return new CancelledError(message, { report: wire.report });
    case "table":
      return new TableError(message);
    case "memory":
      return new MemoryError(message);
    case "unsupported":
      return new UnsupportedError(message);
    default:
      return wire.isFatal
        ? new PuzzleError(`a defect in the solver: ${message}`)
        : new InputError(message, { fault: wire.fault });
  }
}

/** The error for a call whose signal is aborted. */
export function cancelledBy(signal: AbortSignal | undefined, report?: Report): CancelledError {
  return new CancelledError("cancelled", { cause: signal?.reason, report });
}
