/**
 * Bundles of packed tables from `pdb-gen pack`: docs/format.md, "Manifest". Checks of the manifest
 * need no tables.
 */
import { type Bytes, readAddress, readAgain, type Reading } from "./address.js";
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

export const SINGLE_MAGIC = [0x89, 0x50, 0x44, 0x53, 0x0d, 0x0a, 0x1a, 0x0a];
/** Bytes before the manifest of a single-file bundle: magic, length, SHA-256. */
const HEAD = 48;
/** Bytes of the first request, enough for the manifest of all but the largest bundles. */
const FIRST = 2 ** 15;
const MAX_MANIFEST = 2 ** 24;

/** The SHA-256 of bytes, in hexadecimal. */
export type Sha256 = (bytes: Bytes) => Promise<string>;

/** A manifest, and access to the packed bytes of its tables. */
export interface Bundle {
  manifest: Manifest;
  /** The bundle's name in error messages. */
  name: string;
  /** Whether the bytes are read from an address, so that a second attempt can succeed. */
  isRemote: boolean;
  /** Reads the packed bytes of a table, without checks. `isFresh`: bypasses the browser's cache. */
  read(listed: ListedTable, options: ReadTableOptions): Promise<Bytes>;
}

export interface ReadTableOptions {
  signal?: AbortSignal | undefined;
  onBytes?: (count: number) => void;
  isFresh?: boolean;
}

/** Whether bytes are a single-file bundle. */
export const isSingle = (bytes: Uint8Array): boolean =>
  SINGLE_MAGIC.every((byte, index) => bytes[index] === byte);

/** A single-file bundle in memory. */
export async function openBytes(bytes: Uint8Array, sha256: Sha256): Promise<Bundle> {
  const manifestBytes = await soundManifest(bytes, sha256, "the bundle");
  const manifest = readManifest(manifestBytes, true);
  const base = HEAD + manifestBytes.length;
  const end = manifest.tables.reduce((sum, { packed }) => sum + packed.length, base);
  if (bytes.length !== end) {
    throw new TableError(`the bundle has ${bytes.length} bytes, should have ${end}`);
  }
  return {
    manifest,
    name: "the bundle",
    isRemote: false,
    read: async ({ packed }) =>
      bytes.slice(base + packed.offset, base + packed.offset + packed.length) as Bytes,
  };
}

/** Opens the bundle at `url`. Its first bytes distinguish a single-file bundle from a manifest. */
export async function openAddress(
  url: URL,
  sha256: Sha256,
  signal?: AbortSignal | undefined,
): Promise<Bundle> {
  const open = async (isFresh: boolean): Promise<Bundle> => {
    const isManifest = /\.json$/i.test(url.pathname);
    const options = { signal, isFresh };
    const reading = await readAgain(url, {
      ...options,
      ...(isManifest ? { most: MAX_MANIFEST } : { range: [0, FIRST] }),
    });
    if (isSingle(reading.bytes)) return openSingle(url, reading, sha256, signal, isFresh);
    const rest = reading.isEnd
      ? new Uint8Array()
      : (await readAgain(url, { ...options, range: [FIRST, MAX_MANIFEST] })).bytes;
    return openManifest(url, concat(reading.bytes, rest));
  };
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
    manifest = readManifest(bytes, false);
  } catch (error) {
    if (!(error instanceof TableError)) throw error;
    throw new TableError(`${url.href}: ${error.message}${seemsPage(bytes)}`, { cause: error });
  }
  return {
    manifest,
    name: url.href,
    isRemote: true,
    read: async ({ packed }, options) => {
      const address = new URL(packed.file, url);
      return (await readAddress(address, { ...options, most: packed.length })).bytes;
    },
  };
}

async function openSingle(
  url: URL,
  first: Reading,
  sha256: Sha256,
  signal: AbortSignal | undefined,
  isFresh: boolean,
): Promise<Bundle> {
  const options = { signal, isFresh };
  let head = first.bytes;
  const end = HEAD + manifestLength(head, url.href);
  if (end > head.length && !first.isEnd) {
    const more = await readAgain(url, { ...options, range: [head.length, end] });
    head = concat(head, more.bytes.subarray(head.length - more.start));
  }
  const manifestBytes = await soundManifest(head, sha256, url.href);
  const manifest = readManifest(manifestBytes, true);
  /** The whole file, if the server answered with it. */
  let whole = first.isEnd ? head : undefined;
  return {
    manifest,
    name: url.href,
    isRemote: true,
    read: async ({ packed }, options) => {
      const start = end + packed.offset;
      if (whole && !options.isFresh) return cut(whole, 0, start, packed.length);
      const range = [start, start + packed.length] as const;
      const reading = await readAddress(url, { ...options, range });
      if (reading.start === 0 && reading.isEnd) whole = reading.bytes;
      return cut(reading.bytes, reading.start, start, packed.length);
    },
  };
}

/** The `length` bytes of a file that begin at `start`. `bytes` begins at `offset` in the file. */
function cut(bytes: Bytes, offset: number, start: number, length: number): Bytes {
  if (offset === start && bytes.length === length) return bytes;
  return bytes.slice(start - offset, start - offset + length);
}

function manifestLength(bytes: Uint8Array, name: string): number {
  if (!isSingle(bytes) || bytes.length < HEAD) {
    throw new TableError(`${name} is no file of packed tables, or is cut short`);
  }
  const length = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(8, true);
  if (length > MAX_MANIFEST) throw new TableError(`${name} is damaged: its manifest is too long`);
  return Number(length);
}

/** The manifest of a single-file bundle, checked by its SHA-256. */
async function soundManifest(bytes: Uint8Array, sha256: Sha256, name: string): Promise<Bytes> {
  const end = HEAD + manifestLength(bytes, name);
  const manifest = bytes.slice(HEAD, end) as Bytes;
  if (bytes.length < end) throw new TableError(`${name} is cut short`);
  const sum = Array.from(bytes.subarray(16, HEAD), (byte) => byte.toString(16).padStart(2, "0"));
  if ((await sha256(manifest)) !== sum.join("")) {
    throw new TableError(`${name} is damaged: its manifest does not have its SHA-256`);
  }
  return manifest;
}

function concat(a: Bytes, b: Uint8Array): Bytes {
  if (b.length === 0) return a;
  const bytes = new Uint8Array(a.length + b.length);
  bytes.set(a);
  bytes.set(b, a.length);
  return bytes;
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
    throw bundle.isRemote ? new DownloadError(message, bundle.name) : new TableError(message);
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
