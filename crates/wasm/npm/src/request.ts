/** Checks the arguments of callers, and converts them to texts for the module. */
import { InputError } from "./error.js";
import type { Request } from "./protocol.js";
import type { BoardLike, CallOptions, GoalLike, MovesLike } from "./types.js";

/** A board as text. The module reads an array as JSON, and reports its invalid values. */
export function boardText(board: BoardLike, what = "the board"): string {
  if (typeof board === "string") return board;
  if (Array.isArray(board)) return JSON.stringify(board);
  throw new InputError(`${what} must be a text or an array, not ${describe(board)}`);
}

/** A goal as text. */
export const goalText = (goal: GoalLike | undefined): string | undefined =>
  goal === undefined ? undefined : boardText(goal, "the goal");

/** Moves as text; the moves of an array follow each other. */
export const movesText = (moves: MovesLike): string =>
  Array.isArray(moves) ? moves.join(" ") : textOf(moves, "moves");

/** The names of all options of a call; the compiler checks that no option is missing. */
export type Names<T> = { readonly [Name in keyof Required<T>]: true };

/** Checks the names of a caller's options, because a misspelt one would be ignored silently. */
export function optionsOf<T extends object>(options: T, names: Names<T>): T {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new InputError(`options must be an object, not ${describe(options)}`);
  }
  const known = Object.keys(names);
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue;
    const near = nearest(name, known);
    const cure = near ? `did you mean \`${near}\`?` : `expected ${known.join(", ")}`;
    throw new InputError(`unknown option \`${name.slice(0, 40)}\`; ${cure}`);
  }
  return options;
}

/**
 * The known name with the smallest edit distance to `name`; `undefined` if every distance exceeds a
 * third of the known name's length.
 */
function nearest(name: string, known: readonly string[]): string | undefined {
  const plain = name.toLowerCase().replace(/[-_]/g, "");
  let best: string | undefined;
  let fewest = Infinity;
  for (const candidate of known) {
    const distance = distanceOf(plain, candidate.toLowerCase());
    if (distance < fewest && distance * 3 <= candidate.length) {
      [best, fewest] = [candidate, distance];
    }
  }
  return best;
}

/** The edit distance of two texts: the number of letters to insert, delete or replace. */
function distanceOf(one: string, other: string): number {
  if (one.length > 40) return Infinity;
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const replaced = row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[other.length]!;
}

/** Describes a value in an error message. */
export function describe(value: unknown): string {
  if (value === undefined || typeof value === "function") return typeof value;
  if (typeof value === "number") return String(value);
  let text;
  try {
    text = JSON.stringify(value) ?? String(value);
  } catch {
    text = typeof value;
  }
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

/** Checks that a value is a text. */
export function textOf(value: unknown, what: string): string {
  if (typeof value === "string") return value;
  throw new InputError(`${what} must be a text, not ${describe(value)}`);
}

/** A request without its undefined fields. */
export function requestOf(fields: Request): Request {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** A number of at least 0, rounded up; infinity means no limit. */
export function limitOf(value: number | undefined, what: string): number | undefined {
  if (value === undefined || value === Infinity) return undefined;
  if (typeof value === "number" && value >= 0) {
    return Math.min(Math.ceil(value), Number.MAX_SAFE_INTEGER);
  }
  throw new InputError(`${what} must be a number from 0, not ${describe(value)}`);
}

/** A whole number of at least 0. */
export function wholeOf(value: number, what: string): number {
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new InputError(`${what} must be a whole number from 0, not ${describe(value)}`);
}

/** The limits of a call, and its option `side`. Limits must exceed 0. */
export function limitsOf({ maxTime, maxNodes, threads, side }: CallOptions): Request {
  for (const [what, value] of Object.entries({ maxTime, maxNodes })) {
    if (value === 0) throw new InputError(`${what} must be a number above 0`);
  }
  return {
    max_time: limitOf(maxTime, "maxTime"),
    max_nodes: limitOf(maxNodes, "maxNodes"),
    threads: threads === undefined ? undefined : wholeOf(threads, "threads"),
    side,
  };
}

/** The names of `CallOptions`: the options that `limitsOf` reads, and `signal`. */
export const CALL_NAMES: Names<CallOptions> = {
  signal: true,
  maxTime: true,
  maxNodes: true,
  threads: true,
  side: true,
};

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
