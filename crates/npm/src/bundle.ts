/**
 * Bundles of packed tables from `pdb-gen pack`: docs/format.md, "Manifest". Checks of the manifest
 * need no tables.
 */
import { type Bytes, readAddress, readAgain } from "./address.js";
import { DownloadError, TableError } from "./error.js";

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
  packed: { file: string; length: number; sha256: string };
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
 * Parses a manifest.
 *
 * @throws TableError
 */
export function readManifest(bytes: Uint8Array): Manifest {
  let found: Record<string, unknown> | null = null;
  try {
    found = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    // The first `ensure` below reports the invalid text.
  }
  ensure(found?.format === FORMAT, "not a manifest of packed tables");
  ensure(found.version === 2, `manifest version ${found.version}; this reader knows version 2`);
  checkFields(found, MANIFEST, "what");
  const manifest = found as unknown as Manifest;
  for (const listed of manifest.tables) {
    checkFields(listed, LISTED, "a table");
    checkFields(listed.packed, PACKED, "a packed file");
    checkFields(listed.table, TABLE, "a table file");
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

/** Maximum size of a manifest, in bytes. */
const MAX_MANIFEST = 2 ** 24;

/** The SHA-256 of bytes, in hexadecimal. */
export type Sha256 = (bytes: Bytes) => Promise<string>;

/** A manifest, and access to the packed bytes of its tables. */
export interface Bundle {
  manifest: Manifest;
  /** The address of the manifest. */
  name: string;
  /** Reads the packed bytes of a table, without checks. `isFresh`: bypasses the browser's cache. */
  read(listed: ListedTable, options: ReadTableOptions): Promise<Bytes>;
}

export interface ReadTableOptions {
  signal?: AbortSignal | undefined;
  onBytes?: (count: number) => void;
  isFresh?: boolean;
}

/** Opens the bundle whose manifest is at `url`. */
export async function openAddress(url: URL, signal?: AbortSignal | undefined): Promise<Bundle> {
  const open = async (isFresh: boolean): Promise<Bundle> =>
    openManifest(url, await readAgain(url, { signal, isFresh, most: MAX_MANIFEST }));
  try {
    return await open(false);
  } catch (error) {
    // The transfer may have damaged the bytes, so they are read once more.
    if (!(error instanceof TableError)) throw error;
    return open(true);
  }
}

function openManifest(url: URL, bytes: Bytes): Bundle {
  let manifest: Manifest;
  try {
    manifest = readManifest(bytes);
  } catch (error) {
    if (!(error instanceof TableError)) throw error;
    throw new TableError(`${url.href}: ${error.message}${seemsPage(bytes)}`, { cause: error });
  }
  return {
    manifest,
    name: url.href,
    read: ({ packed }, options) =>
      readAddress(new URL(packed.file, url), { ...options, most: packed.length }),
  };
}

/**
 * Text for an error message if the bytes are an HTML page. The server of a single-page app sends
 * the app's page if a file is missing.
 */
function seemsPage(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes.subarray(0, 100)).trimStart();
  return /^<(!doctype|html)/i.test(text) ? "; the server answered with a page" : "";
}

/** Reads a table and checks it with `sha256`; tries again once if it is incomplete or damaged. */
export async function readSound(
  bundle: Bundle,
  listed: ListedTable,
  sha256: Sha256,
  options: ReadTableOptions,
): Promise<Bytes> {
  const { file, length, sha256: sum } = listed.packed;
  const once = async (isFresh: boolean): Promise<Bytes> => {
    const bytes = await bundle.read(listed, { ...options, isFresh });
    const problem =
      bytes.length !== length
        ? `has ${bytes.length} bytes, should have ${length}`
        : (await sha256(bytes)) !== sum
          ? "does not have the SHA-256 that the manifest says"
          : undefined;
    if (problem === undefined) return bytes;
    const message = `${file} of ${bundle.name} ${problem}`;
    throw new DownloadError(message, bundle.name);
  };
  try {
    return await once(false);
  } catch (error) {
    const { status } = error as DownloadError;
    const isFinal = status !== undefined && status >= 400 && status < 500 && status !== 429;
    if (!(error instanceof DownloadError) || isFinal) throw error;
    return once(true);
  }
}
