/** Requests to the module: JSON texts. The module checks names and values of all fields. */
import { InputError } from "./error.js";
import type { MovesLike } from "./types.js";

/** Fields of a request. Fields without a value are left out. */
export type Request = Record<string, unknown>;

/** The text of a request: the fields of the call itself, and the caller's options. */
export function requestOf(own: Request, options: object = {}): string {
  noneOf(Object.keys(options).filter((name) => Object.hasOwn(own, name)));
  try {
    return JSON.stringify({ ...own, ...options }, written);
  } catch (cause) {
    throw new InputError(`options cannot be JSON: ${(cause as Error).message}`, { cause });
  }
}

/**
 * Infinity is no limit. Other values that JSON does not have become texts, because the module would
 * take them for missing fields, and must reject them.
 */
function written(name: string, value: unknown): unknown {
  if (value === Infinity && /^m(ax|ost)/.test(name)) return undefined;
  const isNumber = typeof value === "number" && Number.isFinite(value);
  const isWritten = isNumber || /object|string|boolean|undefined/.test(typeof value);
  return isWritten ? value : String(value);
}

/** Moves as text; the moves of an array follow each other. */
export const movesText = (moves: MovesLike): string =>
  Array.isArray(moves) ? moves.join(" ") : (moves as string);

/** Checks that a caller's options are an object. */
export function optionsOf<T extends object>(options: T): T {
  if (typeof options === "object" && options !== null && !Array.isArray(options)) return options;
  throw new InputError(`options must be an object, not ${describe(options)}`);
}

/** Rejects options that a call does not have. */
export function noneOf(names: string[]): void {
  const [name] = names;
  if (name !== undefined) throw new InputError(`unknown option \`${name.slice(0, 40)}\``);
}

/** Describes a value in an error message. */
export function describe(value: unknown): string {
  if (value === undefined || typeof value === "function") return typeof value;
  let text;
  try {
    text = JSON.stringify(value) ?? String(value);
  } catch {
    text = typeof value;
  }
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

/**
 * Calls a listener of the caller. Exceptions of the listener are reported, but do not stop the
 * call.
 */
export function tell<T extends unknown[]>(
  listener: ((...values: T) => void) | undefined,
  ...values: T
): void {
  if (!listener) return;
  try {
    listener(...values);
  } catch (error) {
    setTimeout(() => {
      throw error;
    });
  }
}
