/** Times and moves of solved games: storage format and statistics. */
import { presetOf, type PresetName } from "../goal/preset.ts";
import { clockText } from "../game/clock.svelte.ts";
import { isSide } from "../game/rules.ts";

export interface Result {
  /** Whole milliseconds. */
  readonly ms: number;
  readonly moves: number;
  /** Time of the solve, in milliseconds since 1970. */
  readonly at: number;
}

/** The kinds of goals with their own lists. All goals arranged by hand share one list. */
export const goalKinds = [
  "blank-last",
  "blank-first",
  "snake",
  "spiral",
  "columns",
  "own",
] as const satisfies readonly (PresetName | "own")[];
export type GoalKind = (typeof goalKinds)[number];

/** Results by size and kind of goal, such as `4x4 blank-last`. The oldest result is first. */
export type Lists = ReadonlyMap<string, readonly Result[]>;

const VERSION = 1;

/**
 * Maximum number of results stored per list. If there are more, the oldest result that is not among
 * the best is deleted.
 */
export const MOST = 1000;
/** Number of results that count as the best of a list, and that the dialog shows. */
export const SHOWN = 10;

/** The name of the list for the results of a game. */
export function listOf(game: { size: string; goal: readonly number[]; columns: number }): string {
  return `${game.size} ${presetOf(game.goal, game.columns) ?? "own"}`;
}

/** Reads the size and the kind of goal from a list's name; `null` if the name is invalid. */
export function readName(name: string): { size: string; kind: GoalKind } | null {
  const [, size, columns, rows, kind] = /^((\d+)x(\d+)) (.+)$/.exec(name) ?? [];
  if (!size || !isSide(Number(columns)) || !isSide(Number(rows))) return null;
  return goalKinds.includes(kind as GoalKind) ? { size, kind: kind as GoalKind } : null;
}

/** The results that were read from the browser's storage. */
export interface Reading {
  lists: Lists;
  /** Number of damaged entries; a text that is damaged as a whole counts as one entry. */
  damaged: number;
  /** Whether a later version of the page stored the contents, which must then stay unchanged. */
  isNewer: boolean;
}

/** Parses stored results, without damaged entries. */
export function read(text: string | null): Reading {
  const reading = { lists: new Map<string, Result[]>(), damaged: 0, isNewer: false };
  if (text === null) return reading;
  let kept: { version?: unknown; lists?: unknown };
  try {
    kept = (JSON.parse(text) ?? {}) as typeof kept;
  } catch {
    return { ...reading, damaged: 1 };
  }
  const { version, lists } = kept;
  if (typeof version === "number" && version > VERSION) return { ...reading, isNewer: true };
  if (version !== VERSION || typeof lists !== "object" || lists === null) {
    return { ...reading, damaged: 1 };
  }
  for (const [name, rows] of Object.entries(lists)) {
    if (!Array.isArray(rows) || !readName(name)) {
      reading.damaged++;
      continue;
    }
    const results = rows.map(resultOf).filter((each) => each !== null);
    reading.damaged += rows.length - results.length;
    if (results.length > 0) reading.lists.set(name, results);
  }
  return reading;
}

function resultOf(row: unknown): Result | null {
  if (!Array.isArray(row) || row.length !== 3) return null;
  const [ms, moves, at] = row as unknown[];
  const isCount = (value: unknown): value is number =>
    Number.isSafeInteger(value) && Number(value) >= 0;
  return isCount(ms) && isCount(moves) && moves > 0 && isCount(at) ? { ms, moves, at } : null;
}

export function write(lists: Lists): string {
  const rows = [...lists].map(([name, results]) => [
    name,
    results.map(({ ms, moves, at }) => [ms, moves, at]),
  ]);
  return JSON.stringify({ version: VERSION, lists: Object.fromEntries(rows) as unknown });
}

export const fastest = (results: readonly Result[]): Result[] =>
  [...results].sort((a, b) => a.ms - b.ms || a.moves - b.moves || a.at - b.at).slice(0, SHOWN);

export const shortest = (results: readonly Result[]): Result[] =>
  [...results].sort((a, b) => a.moves - b.moves || a.ms - b.ms || a.at - b.at).slice(0, SHOWN);

/** The list with a new result. */
export function added(results: readonly Result[], result: Result): Result[] {
  const all = [...results, result];
  if (all.length <= MOST) return all;
  const best = new Set([...fastest(all), ...shortest(all)]);
  const oldest = all.find((each) => !best.has(each));
  return all.filter((each) => each !== oldest);
}

/** The mean time of the results, without the best and the worst result. */
function trimmedMean(results: readonly Result[]): number {
  const times = results.map(({ ms }) => ms).sort((a, b) => a - b);
  const inner = times.slice(1, -1);
  return inner.reduce((sum, ms) => sum + ms, 0) / inner.length;
}

/**
 * The latest and the best average of `count` consecutive results; `null` if there are fewer
 * results.
 */
export function average(
  results: readonly Result[],
  count: number,
): { latest: number; best: number } | null {
  if (results.length < count) return null;
  const means = Array.from({ length: results.length - count + 1 }, (_, first) =>
    trimmedMean(results.slice(first, first + count)),
  );
  return { latest: means[means.length - 1], best: Math.min(...means) };
}

/** The lists as CSV, which does not depend on the page's language. */
export function csv(lists: Lists): string {
  const lines = ["size,goal,solved_at,time_ms,time,moves"];
  for (const [name, results] of lists) {
    const { size, kind } = readName(name) ?? { size: "", kind: "" };
    for (const { ms, moves, at } of results) {
      const when = new Date(at).toISOString();
      lines.push([size, kind, when, ms, clockText(ms, 3), moves].join(","));
    }
  }
  return lines.join("\n") + "\n";
}
