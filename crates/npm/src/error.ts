/** Error classes, and the plain objects that carry them between threads. */
import type { Code, MoveFault, Report } from "./contract.js";

/**
 * Kind of error: `error` (an invalid request, or a defect), `unsolvable`, `limit`, `cancelled`,
 * `table` (damaged or foreign tables), `download`, `storage`, `memory`, `unsupported` (the host
 * lacks a feature).
 */
export type ErrorCode = Code | "download" | "storage" | "unsupported";

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
  override readonly name: string = "PuzzleError";
  readonly code: ErrorCode = "error";
}

/** An invalid board, goal, option or list of moves. Code `error`. */
export class InputError extends PuzzleError {
  override readonly name = "InputError";
  /** For a list of moves: the first move that is invalid or impossible. */
  readonly fault?: MoveFault;

  constructor(message: string, options?: ErrorOptions & { fault?: MoveFault }) {
    super(message, options);
    if (options?.fault) this.fault = options.fault;
  }
}

/** A search that ended without a solution. */
class OutcomeError extends PuzzleError {
  constructor(
    message: string,
    readonly report: Report,
  ) {
    super(message);
  }
}

/** The board has no solution; `report.swap` names two tiles whose swap makes it solvable. */
export class UnsolvableError extends OutcomeError {
  override readonly name = "UnsolvableError";
  override readonly code = "unsolvable";
}

/** `maxTime` or `maxNodes` was reached; `report.bound` is the bound proved until then. */
export class LimitError extends OutcomeError {
  override readonly name = "LimitError";
  override readonly code = "limit";
}

/** The caller's signal was aborted, or the solver was closed. `cause` is the signal's reason. */
export class CancelledError extends PuzzleError {
  override readonly name = "CancelledError";
  override readonly code = "cancelled";
  /** For anytime searches: the best solution found, if any. */
  readonly report?: Report;

  constructor(message = "cancelled", options?: ErrorOptions & { report?: Report }) {
    super(message, options);
    if (options?.report) this.report = options.report;
  }
}

/** Damaged tables, or tables of another puzzle. */
export class TableError extends PuzzleError {
  override readonly name = "TableError";
  override readonly code = "table";
}

/** A file could not be downloaded, or two attempts returned damaged bytes. */
export class DownloadError extends PuzzleError {
  override readonly name = "DownloadError";
  override readonly code = "download";
  /** The HTTP status, if the server answered. */
  readonly status?: number;

  constructor(
    message: string,
    readonly url: string,
    options?: ErrorOptions & { status?: number },
  ) {
    super(message, options);
    if (options?.status !== undefined) this.status = options.status;
  }
}

/** The browser's storage is denied or damaged. Solvers work without it. */
export class StorageError extends PuzzleError {
  override readonly name = "StorageError";
  override readonly code = "storage";
}

/** Out of memory. The next call starts a new worker. */
export class MemoryError extends PuzzleError {
  override readonly name = "MemoryError";
  override readonly code = "memory";
}

/** The host has no WebAssembly, or does not allow workers. */
export class UnsupportedError extends PuzzleError {
  override readonly name = "UnsupportedError";
  override readonly code = "unsupported";
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
