// Unpacks packed tables. docs/format.md describes the format; packed_table.mjs unpacks one table.
// Needs no packages.
//
//   node unpack_table.mjs PATH              lists the tables
//   node unpack_table.mjs PATH DIRECTORY    writes the table files to a directory
//
// PATH is one packed table (.pdbz), a manifest.json, its directory, or a file of
// `pdb-gen pack --single`. As a module, in browsers and Node 18 or later: readManifest reads a
// manifest; readSingle reads a file of `pdb-gen pack --single`; unpackListed unpacks one table and
// checks it against its manifest; partitionsOf groups tables by partition. Invalid bytes throw an
// Error.

import { PACKED_MAGIC, Packed } from "./packed_table.mjs";
import { HEADER_LENGTH, Table, cellsOf } from "./read_table.mjs";
import {
  checkSum, ensure, hex, printFacts, readU64, runCommand, sha256, startsWith, viewOf,
} from "./table_bytes.mjs";

const SINGLE_MAGIC = [0x89, 0x50, 0x44, 0x53, 0x0d, 0x0a, 0x1a, 0x0a];
const MANIFEST_FORMAT = "sliding-tile pattern databases, packed";
const MAX_MANIFEST = 2 ** 24;

const isCount = (value) => Number.isSafeInteger(value) && value >= 0;
const isText = (value) => typeof value === "string";
const isObject = (value) => Object.prototype.toString.call(value) === "[object Object]";
const isPlainName = (name) => isText(name) && /^[\w-][\w.-]{0,199}$/.test(name);
const isListOf = (test) => (value) => Array.isArray(value) && value.every(test);

/** Checks that an object has exactly the fields of `tests`, and that each field passes its test. */
function checkFields(object, tests, what) {
  ensure(isObject(object), `${what} in the manifest is not an object`);
  const names = [...new Set([...Object.keys(object), ...Object.keys(tests)])];
  const wrong = names.find((name) => !Object.hasOwn(object, name) || !tests[name]?.(object[name]));
  const complaint = `${what} in the manifest has a wrong, missing or unknown field ${wrong}`;
  ensure(wrong === undefined, complaint);
}

/**
 * Parses a manifest and makes all checks that do not need the tables. `isSingle` means that one
 * file contains all tables end to end.
 */
export function readManifest(bytes, isSingle = false) {
  let manifest = null;
  try {
    manifest = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    // Reported below.
  }
  ensure(manifest?.format === MANIFEST_FORMAT, "not a manifest of packed tables");
  const { version } = manifest;
  ensure(version === 1, `manifest version ${version}; this reader knows version 1`);
  const isTray = (value) => isText(value) && /^[1-9]\d*x[1-9]\d*$/.test(value);
  checkFields(manifest, {
    format: isText, version: isCount, tray: isTray, goal: isListOf(isCount), rebuild: isText,
    parts: isListOf(isObject), tables: isListOf(isObject),
  }, "an object");
  let end = 0;
  for (const listed of manifest.tables) {
    checkFields(listed, { packed: isObject, header: isCount, frames: isCount, table: isObject },
      "a table");
    const { packed, table } = listed;
    checkFields(packed, { file: isPlainName, offset: isCount, length: isCount, sha256: isText },
      "a packed file");
    checkFields(table, {
      file: isPlainName, length: isCount, sha256: isText, format: isCount, tray: isTray,
      kind: isText, encoding: isText, tiles: isListOf(isCount), blank: isListOf(isCount),
      entries: isCount, reached: isCount, max: isCount,
    }, "a table file");
    ensure(packed.offset === end, `${packed.file} does not begin at the end of the previous table`);
    if (isSingle) end += packed.length;
  }
  const [width, height] = manifest.tray.split("x").map(Number);
  const sorted = manifest.goal.slice().sort((a, b) => a - b);
  const isGoal = sorted.length === width * height && sorted.every((number, i) => number === i);
  ensure(isGoal, `the manifest's goal is not a ${manifest.tray} board`);
  for (const part of manifest.parts) {
    checkFields(part, { partition: isCount, tiles: isListOf(isCount), table: isCount }, "a part");
    const { tiles } = manifest.tables[part.table]?.table ?? { tiles: [] };
    const cells = part.tiles.map((number) => (number ? manifest.goal.indexOf(number) : -1));
    const isPart = cells.length === tiles.length &&
      cells.every((cell, i) => cell > (cells[i - 1] ?? -1));
    ensure(isPart, `no table number ${part.table} for tiles ${part.tiles.join(",")}`);
  }
  return manifest;
}

/**
 * Reads a file of `pdb-gen pack --single`. Returns its manifest and the packed bytes of its tables.
 */
export function readSingle(bytes) {
  ensure(startsWith(bytes, SINGLE_MAGIC) && bytes.length >= 48, "not a file of packed tables");
  const length = readU64(viewOf(bytes), 8);
  ensure(length <= MAX_MANIFEST && 48 + length <= bytes.length, "the file is truncated");
  const text = bytes.subarray(48, 48 + length);
  checkSum("the manifest", text, bytes.subarray(16, 48));
  const manifest = readManifest(text, true);
  const tables = manifest.tables.map(({ packed }) => {
    const start = 48 + length + packed.offset;
    return bytes.subarray(start, start + packed.length);
  });
  const end = manifest.tables.reduce((sum, { packed }) => sum + packed.length, 48 + length);
  ensure(bytes.length === end, `${bytes.length} bytes long, should be ${end}`);
  return { manifest, tables };
}

/** Unpacks a table and checks it against its record in a manifest. Returns the table file. */
export function unpackListed(listed, bytes) {
  const { file, length, offset, sha256: sum } = listed.packed;
  ensure(bytes.length === length, `${file} has ${bytes.length} bytes, should have ${length}`);
  ensure(hex(sha256(bytes)) === sum, `${file} does not have its SHA-256`);
  const packed = new Packed(bytes);
  const table = packed.table();
  const { name } = new Table(table);
  const { kind, encoding, entries, reached, max, frames, headerLength } = packed;
  const found = {
    packed: { file: `${name}z`, offset, length, sha256: sum },
    header: headerLength,
    frames: frames.length,
    table: {
      file: name, length: table.length, sha256: hex(sha256(table)), format: 1,
      tray: `${packed.width}x${packed.height}`, kind, encoding, tiles: packed.goalCells,
      blank: cellsOf(packed.blank), entries, reached, max,
    },
  };
  const isSame = sortedJson(found) === sortedJson(listed);
  ensure(isSame, `${file} does not match its record in the manifest`);
  return table;
}

/** The partitions of a manifest, in the form of the argument of `views` in read_table.mjs. */
export function partitionsOf({ parts, tables }) {
  const partitions = [];
  for (const { partition, tiles, table } of parts) {
    const { kind, encoding } = tables[table].table;
    partitions[partition] ??= { kind, encoding, patterns: [] };
    partitions[partition].patterns.push(tiles);
  }
  return partitions.filter(Boolean);
}

/** JSON that does not depend on the order of fields. */
const sortedJson = (value) => JSON.stringify(value, (_, part) =>
  isObject(part) ? Object.keys(part).sort().map((name) => [name, part[name]]) : part);

// --- The command, in Node ------------------------------------------------------------------------

/** Reads the packed tables at a path. Returns the manifest, or null for a single packed table, and
 * the bytes of each packed table. */
export async function openPacked(path) {
  const { readFileSync, statSync } = await import("node:fs");
  const { dirname, join } = await import("node:path");
  const read = (file) => new Uint8Array(readFileSync(file));
  const file = statSync(path).isDirectory() ? join(path, "manifest.json") : path;
  const bytes = read(file);
  if (startsWith(bytes, PACKED_MAGIC)) return { manifest: null, tables: [bytes] };
  if (startsWith(bytes, SINGLE_MAGIC)) return readSingle(bytes);
  ensure(bytes.length <= MAX_MANIFEST, "not a manifest of packed tables");
  const manifest = readManifest(bytes);
  const files = manifest.tables.map(({ packed }) => join(dirname(file), packed.file));
  return { manifest, tables: files.map(read) };
}

async function main([path, directory, ...more]) {
  ensure(path && more.length === 0, "usage: node unpack_table.mjs PATH [DIRECTORY]");
  const { mkdirSync, renameSync, writeFileSync } = await import("node:fs");
  const { join } = await import("node:path");
  const { manifest, tables } = await openPacked(path);
  for (const [number, bytes] of tables.entries()) {
    if (!directory) {
      const packed = new Packed(bytes);
      printFacts(packed, cellsOf(packed.blank), {
        entries: packed.entries,
        frames: `${packed.frames.length}, ${packed.fixed} tiles fixed`,
        bytes: `${bytes.length} for ${HEADER_LENGTH + packed.payloadLength}`,
      });
      continue;
    }
    const table = manifest
      ? unpackListed(manifest.tables[number], bytes)
      : new Packed(bytes).table();
    mkdirSync(directory, { recursive: true });
    const file = join(directory, new Table(table).name);
    // Renaming keeps an older file intact for processes that have mapped it.
    writeFileSync(`${file}.new`, table);
    renameSync(`${file}.new`, file);
    console.log(file);
  }
}

await runCommand(import.meta.url, main);
