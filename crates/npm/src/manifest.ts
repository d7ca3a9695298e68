/**
 * Manifests of packed tables (docs/format.md, "Manifest"). This module makes all checks that do not
 * need the tables.
 */
import { TableError } from "./error.js";

const FORMAT = "sliding-tile pattern databases, packed";

/** The tables of a bundle, and their goal. */
export interface Manifest {
  tray: string;
  /** The goal's numbers in reading order. */
  goal: number[];
  /** The command that made the bundle. */
  rebuild: string;
  parts: { partition: number; tiles: number[]; table: number }[];
  tables: ListedTable[];
}

/** A table of a bundle. */
export interface ListedTable {
  packed: { file: string; offset: number; length: number; sha256: string };
  table: { file: string; kind: string };
}

type Test = (value: unknown) => boolean;

const isCount: Test = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isText: Test = (value) => typeof value === "string";
const isObject: Test = (value) =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isMatch =
  (pattern: RegExp): Test =>
  (value) =>
    typeof value === "string" && pattern.test(value);
const isListOf =
  (test: Test): Test =>
  (value) =>
    Array.isArray(value) && value.every(test);
/** A file name without a path. */
const isName = isMatch(/^[\w-][\w.-]{0,199}$/);
const isSum = isMatch(/^[0-9a-f]{64}$/);
const isTray = isMatch(/^[1-9]\d?x[1-9]\d?$/);

const MANIFEST: Record<string, Test> = {
  format: isText,
  version: isCount,
  tray: isTray,
  goal: isListOf(isCount),
  rebuild: isText,
  parts: isListOf(isObject),
  tables: isListOf(isObject),
};
const LISTED: Record<string, Test> = {
  packed: isObject,
  header: isCount,
  frames: isCount,
  table: isObject,
};
const PACKED: Record<string, Test> = {
  file: isName,
  offset: isCount,
  length: isCount,
  sha256: isSum,
};
const TABLE: Record<string, Test> = {
  file: isName,
  length: isCount,
  sha256: isSum,
  format: isCount,
  tray: isTray,
  kind: isText,
  encoding: isText,
  tiles: isListOf(isCount),
  blank: isListOf(isCount),
  entries: isCount,
  reached: isCount,
  max: isCount,
};
const PART: Record<string, Test> = { partition: isCount, tiles: isListOf(isCount), table: isCount };

/**
 * Parses a manifest. `isSingle`: all tables are in one file, one after the other.
 *
 * @throws TableError
 */
export function readManifest(bytes: Uint8Array, isSingle: boolean): Manifest {
  let found: Record<string, unknown> | null = null;
  try {
    found = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    // The first `ensure` below reports the invalid text.
  }
  ensure(found?.format === FORMAT, "not a manifest of packed tables");
  ensure(found.version === 1, `manifest version ${found.version}; this reader knows version 1`);
  checkFields(found, MANIFEST, "what");
  const manifest = found as unknown as Manifest;
  let end = 0;
  for (const listed of manifest.tables) {
    checkFields(listed, LISTED, "a table");
    checkFields(listed.packed, PACKED, "a packed file");
    checkFields(listed.table, TABLE, "a table file");
    const { file, offset, length } = listed.packed;
    ensure(offset === end, `${file} does not begin where the one before it ends`);
    if (isSingle) end += length;
  }
  const { tray, goal, tables } = manifest;
  const [columns = 0, rows = 0] = tray.split("x").map(Number);
  const sorted = goal.slice().sort((a, b) => a - b);
  const isGoal = sorted.length === columns * rows && sorted.every((number, i) => number === i);
  ensure(isGoal, `the manifest's goal is no ${tray} board`);
  for (const part of manifest.parts) {
    checkFields(part, PART, "a part");
    const isPart = part.table < tables.length && part.tiles.every((tile) => goal.includes(tile));
    ensure(isPart, `there is no table number ${part.table} for tiles ${part.tiles.join(",")}`);
  }
  return manifest;
}

/** Checks that an object has exactly these fields, each of which passes its test. */
function checkFields(object: object, tests: Record<string, Test>, what: string): void {
  const fields = object as Record<string, unknown>;
  const names = new Set([...Object.keys(fields), ...Object.keys(tests)]);
  for (const name of names) {
    const isSound = Object.hasOwn(fields, name) && tests[name]?.(fields[name]);
    ensure(isSound, `${what} in the manifest has no field ${name} of that kind`);
  }
}

function ensure(holds: unknown, message: string): asserts holds {
  if (!holds) throw new TableError(message);
}
