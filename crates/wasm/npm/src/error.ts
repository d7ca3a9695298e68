/** Errors as classes, and the plain objects that they are between threads. */
import type { Report } from "./types.js";

/**
 * Kind of error: `error` (a request that makes no sense, or a defect), `unsolvable`,
 * `limit`, `cancelled`, `table` (damaged or foreign tables), `download`, `storage`, `memory`,
 * `unsupported` (the host lacks something).
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
 * Every error of this package. `code` says which kind; the message is a sentence for people.
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

/** A board, a goal, moves or options that make no sense. Code `error`. */
export class InputError extends PuzzleError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, "error", options);
    this.name = "InputError";
  }
}

/** The board has no solution; `report.swap` names two tiles whose swap gives it one. */
export class UnsolvableError extends PuzzleError {
  readonly report: Report;

  constructor(message: string, report: Report) {
    super(message, "unsolvable");
    this.name = "UnsolvableError";
    this.report = report;
  }
}

/** `maxTime` or `maxNodes` was reached; `report.bound` is what was proved by then. */
export class LimitError extends PuzzleError {
  readonly report: Report;

  constructor(message: string, report: Report) {
    super(message, "limit");
    this.name = "LimitError";
    this.report = report;
  }
}

/** The caller's signal was aborted, or the solver closed. `cause` is the signal's reason. */
export class CancelledError extends PuzzleError {
  /** Of anytime answers: the best solution so far, where there was one. */
  readonly report?: Report;

  constructor(message = "cancelled", options?: ErrorOptions & { report?: Report }) {
    super(message, "cancelled", options);
    this.name = "CancelledError";
    if (options?.report) this.report = options.report;
  }
}

/** Bytes that are no sound table, or tables of another puzzle than asked for. */
export class TableError extends PuzzleError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, "table", options);
    this.name = "TableError";
  }
}

/** A file that could not be fetched, or came damaged twice. */
export class DownloadError extends PuzzleError {
  readonly url: string;
  /** Of HTTP, where the server answered. */
  readonly status?: number;

  constructor(message: string, url: string, options?: ErrorOptions & { status?: number }) {
    super(message, "download", options);
    this.name = "DownloadError";
    this.url = url;
    if (options?.status !== undefined) this.status = options.status;
  }
}

/** The browser's storage is denied or damaged. Solvers go on without it. */
export class StorageError extends PuzzleError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, "storage", options);
    this.name = "StorageError";
  }
}

/** Out of memory. The next call begins with a new worker. */
export class MemoryError extends PuzzleError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, "memory", options);
    this.name = "MemoryError";
  }
}

/** The host has no WebAssembly, or its rules keep workers from starting. */
export class UnsupportedError extends PuzzleError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, "unsupported", options);
    this.name = "UnsupportedError";
  }
}

/** An error between threads. */
export interface WireError {
  code: ErrorCode;
  message: string;
  report?: Report;
  /** The instance cannot be used any more. */
  isFatal?: boolean;
}

/** The object that the module threw: it throws texts of JSON. Everything else is a defect. */
export function toWire(thrown: unknown): WireError {
  if (typeof thrown === "string") {
    try {
      const { code, message, ...rest } = JSON.parse(thrown) as WireError & Report;
      const wire: WireError = { code, message: message ?? code };
      // A cancelled call may have an answer: the best that an anytime search had.
      const isAnswer = code === "cancelled" && rest.moves !== undefined;
      if (code === "unsolvable" || code === "limit" || isAnswer) wire.report = { ...rest, message };
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

/** The class of an error that came from another thread. */
export function fromWire(wire: WireError): PuzzleError {
  const { message } = wire;
  const report = wire.report ?? { status: "limit", message };
  switch (wire.code) {
    case "unsolvable":
      return new UnsolvableError(message, report);
    case "limit":
      return new LimitError(message, report);
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
        : new InputError(message);
  }
}

/** The error of a call whose signal is aborted. */
export function cancelledBy(signal: AbortSignal | undefined, report?: Report): CancelledError {
  return new CancelledError("cancelled", { cause: signal?.reason, report });
}
