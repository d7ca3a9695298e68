// Tests of the JavaScript readers. The tables come from pdb-gen, and the expected estimates from
// solver. scripts/check/readers.sh runs this script.
//
//   node js-test.mjs DIRECTORY
//
// DIRECTORY must be empty; tests write their files there. Later tests use tables of earlier ones.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";

import { Packed } from "./packed_table.mjs";
import {
  Table, distance, entryOfBoard, estimate, storedAs, symmetries, views,
} from "./read_table.mjs";
import { Search } from "./solve_board.mjs";
import { hex, sha256 } from "./table_bytes.mjs";
import { partitionsOf, readManifest, readSingle, unpackListed } from "./unpack_table.mjs";

const [scratch] = process.argv.slice(2);
assert(scratch, "usage: node js-test.mjs DIRECTORY");
const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const tablesDirectory = join(scratch, "tables");
mkdirSync(tablesDirectory);

const run = (command, otherwise, words, input) => {
  const [program, ...before] = (process.env[command] ?? otherwise).split(" ");
  const options = { cwd: root, input, encoding: "utf8", maxBuffer: 2 ** 26 };
  options.stdio = ["pipe", "pipe", "inherit"];
  return spawnSync(program, [...before, ...words, "--tables", tablesDirectory, "--quiet"], options);
};
const pdbGen = (...words) => {
  const cargo = "cargo run --release --quiet --locked --bin pdb-gen --";
  assert.equal(run("PDB_GEN", cargo, words).status, 0, words.join(" "));
};
/** Runs solver with a limit of one node. Returns its reports, one object per board. */
const solver = (boards, ...words) => {
  const cargo = "cargo run --release --quiet --locked --bin solver --";
  const options = ["--json", "--max-nodes", "1", "--file", "-", ...words];
  const { stdout } = run("SOLVER", cargo, options, boards.map((b) => b.join(" ")).join("\n"));
  return stdout.trim().split("\n").map((line) => JSON.parse(line));
};

const format = readFileSync(join(root, "docs/format.md"), "utf8");
const bytesOf = (...path) => new Uint8Array(readFileSync(join(...path)));
const namesIn = (directory, ending) =>
  readdirSync(directory).filter((name) => name.endsWith(ending)).sort();
const tableCalled = (name) => new Table(bytesOf(tablesDirectory, name));
const assertSame = (found, expected, what) =>
  assert(Buffer.compare(Buffer.from(found), Buffer.from(expected)) === 0, `${what} differs`);

/** Asserts that bytes are rejected with an Error of the reader, not of the JavaScript engine. */
function refused(work, what, pattern = /./) {
  const isOurs = (error) => error.constructor === Error && pattern.test(error.message);
  assert.throws(work, isOurs, what);
}

/** The bytes with one bit of one byte changed. */
const flipped = (bytes, at) => bytes.map((byte, i) => (i === at ? byte ^ (1 << at % 8) : byte));

/**
 * Asserts that bytes with a changed bit are rejected. Then changes the fields before `fieldsEnd`
 * one by one, with a correct checksum of the header, and asserts that the bytes are rejected. The
 * fields of the tiles and the blank are excluded: with other tiles the header can still be valid.
 */
function refusedDamaged(open, name, sound, headerLength, fieldsEnd) {
  for (let at = 0; at < sound.length; at++) {
    const changed = flipped(sound, at);
    refused(() => open(changed), `${name}, byte ${at}`);
    if (at >= fieldsEnd || at >> 3 === 3) continue;
    changed.set(sha256(changed.subarray(0, headerLength - 32)), headerLength - 32);
    refused(() => open(changed), `${name}, field at ${at}`);
  }
}

const packs = new Map();
/** Packs tables with these options, unless an earlier test has done so. Returns the directory. */
function pack(options) {
  const directory = join(scratch, `packed-${packs.size}`);
  if (!packs.has(options)) {
    pdbGen("pack", ...options.split(" "), "--out", directory);
    packs.set(options, directory);
  }
  return packs.get(options);
}

test("SHA-256 equals that of Node", () => {
  for (const length of [0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 1000]) {
    const bytes = Uint8Array.from({ length }, (_, i) => i * 7);
    assert.equal(hex(sha256(bytes)), createHash("sha256").update(bytes).digest("hex"));
  }
});

test("file names follow docs/format.md", () => {
  const name = (...words) => storedAs(...words).name;
  const corner = [1, 4, 5, 8, 9, 12];
  assert.equal(name(4, 4, "zero-aware", corner, 0), "4x4-zero-aware-1.2.3.4.5.6-blank0.pdb");
  assert.equal(name(3, 3, "full", [0, 1, 2], 8, "u8"), "3x3-full-0.1.2-blank6.pdb");
  assert.equal(name(3, 2, "zero-aware", [3, 4], 5, "u8"), "3x2-zero-aware-0.1-blank2.u8.pdb");
  assert.equal(name(3, 3, "runs", [0, 1, 2], 8), "3x3-runs-0.1.2-blank6.pdb");
  for (const [sides, count] of [[[3, 3], 8], [[3, 2], 4]]) {
    assert.equal(new Set(symmetries(...sides).map(String)).size, count);
  }
});

// Options of pdb-gen for tables of one pattern, and the encoding to compare with u8.
const PAIRS = [
  ["--size 3x3 --tiles 1,2,3,4,5", "one-bit"],
  ["--size 3x2 --tiles 3,4,1,5", "one-bit"],
  ["--size 2x2 --tiles 1,2,3", "one-bit"],
  ["--size 3x3 --metric multi --tiles 1,2,3,4,5", "mod-3"],
  ["--size 3x2 --metric multi --tiles 1,2,3,4,5", "mod-3"],
];

test("one-bit and mod-3 tables have the values of u8 tables", () => {
  for (const [options, encoding] of PAIRS) {
    for (const other of [encoding, "u8"]) pdbGen(...options.split(" "), "--encoding", other);
  }
  const short = namesIn(tablesDirectory, ".pdb").filter((name) => !name.includes(".u8."));
  assert.equal(short.length, PAIRS.length);
  for (const name of short) {
    const [table, bytes] = [tableCalled(name), tableCalled(name.replace(".pdb", ".u8.pdb"))];
    for (const each of [table, bytes]) {
      each.checkPayload();
      const counts = new Array(256).fill(0);
      for (const value of each.values()) if (value !== null) counts[value]++;
      assert.deepEqual(counts, each.histogram, name);
    }
    assert.deepEqual(table.values(), bytes.values(), name);
    // Reads single values. Unlike in `values()`, a walk does not stop at entries of earlier walks.
    for (let entry = 0; entry < table.entries; entry += 97) {
      assert.equal(table.value(entry), bytes.value(entry));
    }
  }
});

test("damaged tables are rejected", () => {
  for (const name of ["2x2-zero-aware-0.1.2-blank3.pdb", "3x2-runs-0.1.2.3.4-blank5.pdb"]) {
    const sound = bytesOf(tablesDirectory, name);
    for (const length of [0, 1, 8, 9, 4095, 4096, sound.length - 1]) {
      refused(() => new Table(sound.subarray(0, length)), `${name} cut to ${length}`);
    }
    refusedDamaged((bytes) => new Table(bytes).checkPayload(), name, sound, 4096, 64);
    refused(() => new Table(Uint8Array.from([...sound, 0])), `${name} with a byte more`, /long/);
    const other = name.replace("0.1", "0.3");
    refused(() => new Table(sound).checkName(other), "wrong name", /contains the table/);
    refused(() => new Table(Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd)), "zstd", /inflate/);
  }
});

test("walks in tables with wrong bits end", () => {
  const { name } = storedAs(3, 3, "zero-aware", [0, 1, 2, 3, 4], 8);
  const sound = bytesOf(tablesDirectory, name);
  for (const bits of [0, 255]) {
    refused(() => new Table(sound.slice().fill(bits, 4096)).values(), `${bits}`, /damaged/);
  }
});

// Options of `pdb-gen pack`. The options in packed_forms.txt are also tested with the Python
// unpacker, which is too slow for the tables of the other options.
const forms = readFileSync(join(root, "scripts/readers/packed_forms.txt"), "utf8").split("\n");
const PACKS = [
  ...forms.filter((form) => form && !form.startsWith("#")),
  "--size 3x3 --metric multi",
  "--size 3x3 --metric multi --tiles 1,2,3 --encoding u8",
  "--partition 6-6-3",
  "--goal blank-first --partition 6-6-3 --kind blank-compressed",
  "--goal blank-first --partition 6-6-3 --kind full",
];

test("all forms of packed tables are unpacked to the same bytes", () => {
  for (const options of PACKS) {
    const directory = pack(options);
    const manifest = readManifest(bytesOf(directory, "manifest.json"));
    assert.equal(manifest.tables.length, namesIn(directory, ".pdbz").length);
    for (const listed of manifest.tables) {
      const table = unpackListed(listed, bytesOf(directory, listed.packed.file));
      assertSame(table, bytesOf(tablesDirectory, listed.table.file), listed.table.file);
    }
  }
});

test("damaged packed tables are rejected", () => {
  for (const options of ["--size 3x3 --tiles 1,2,5", "--size 3x2 --metric multi"]) {
    const directory = pack(options);
    const [name] = namesIn(directory, ".pdbz");
    const sound = bytesOf(directory, name);
    const headerLength = new DataView(sound.buffer, sound.byteOffset).getUint32(12, true);
    refusedDamaged((bytes) => new Packed(bytes).table(), name, sound, headerLength, 112);
    for (const length of [0, 16, 111, sound.length - 1]) {
      refused(() => new Packed(sound.subarray(0, length)).table(), `${name} cut to ${length}`);
    }
  }
});

test("single files and manifests", () => {
  const file = join(scratch, "single");
  pdbGen("pack", "--size", "2x2", "--single", "--out", file);
  const sound = bytesOf(file);
  const unpackAll = (bytes) => {
    const { manifest, tables } = readSingle(bytes);
    return manifest.tables.map((listed, number) => unpackListed(listed, tables[number]));
  };
  const { manifest } = readSingle(sound);
  unpackAll(sound).forEach((table, number) => {
    const name = manifest.tables[number].table.file;
    assertSame(table, bytesOf(tablesDirectory, name), name);
  });
  for (let at = 0; at < sound.length; at++) {
    refused(() => unpackAll(flipped(sound, at)), `single file, byte ${at}`);
  }
  refused(() => unpackAll(sound.subarray(0, sound.length - 1)), "single file cut short");

  // Every wrong field of a manifest is rejected.
  const [listed] = manifest.tables;
  const [packed] = readSingle(sound).tables;
  const changes = [
    (m) => (m.version = 2), (m) => (m.more = 1), (m) => delete m.rebuild,
    (m) => (m.tray = "3x3"), (m) => (m.goal = [1, 2, 3, 3]), (m) => (m.parts[0].tiles = [2, 1, 3]),
    (m) => (m.parts[0].table = 1), (m) => (m.tables[0].packed.file = "../x"),
    (m) => (m.tables[0].packed.offset = 1), (m) => (m.tables[0].more = 1),
    (m) => (m.tables[0].table.entries = "24"), (m) => (m.tables = {}), (m) => (m.parts = [null]),
  ];
  for (const change of changes) {
    const changed = structuredClone(manifest);
    change(changed);
    const bytes = new TextEncoder().encode(JSON.stringify(changed));
    refused(() => readManifest(bytes), `manifest after ${change}`);
  }
  for (const part of [listed, listed.packed, listed.table]) {
    for (const [name, value] of Object.entries(part)) {
      if (["packed", "table", "offset"].includes(name)) continue;
      const more = typeof value === "string" ? "x" : 1;
      part[name] = Array.isArray(value) ? [...value, 9] : value + more;
      refused(() => unpackListed(listed, packed), `a record with a wrong ${name}`);
      part[name] = value;
    }
  }
});

/** The goal, views and tables of a manifest. */
function heuristic(options) {
  const { goal, tray, ...manifest } = readManifest(bytesOf(pack(options), "manifest.json"));
  const all = views(...tray.split("x").map(Number), goal, partitionsOf(manifest));
  const names = all.flatMap(({ parts }) => parts.map(({ name }) => name));
  return { goal, all, tables: new Map(names.map((name) => [name, tableCalled(name)])) };
}

function boardsIn(suite) {
  const lines = readFileSync(join(root, "data/suites", suite), "utf8").split("\n");
  const boards = lines.filter((line) => line && !line.startsWith("#"));
  return boards.map((line) => line.trim().split(/\s+/).map(Number));
}

/** Compares estimates with `h0` in solver's reports. With full-cost tables, `h0` is the larger of
 * two values: the tables' estimate and the Manhattan distance, which `floor` computes. */
function compare(options, boards, floor = () => 0) {
  const { goal, all, tables } = heuristic(options);
  const said = solver(boards, ...options.split(" "));
  assert.equal(said.length, boards.length);
  boards.forEach((board, i) => {
    const found = Math.max(estimate(board, goal, all, tables), floor(board, goal));
    assert.equal(found, said[i].h0, `${options}: ${board.join(" ")}`);
  });
}

test("estimates equal those of solver", () => {
  const boards = boardsIn("felner1000.txt").slice(0, 100);
  compare("--goal blank-first --partition 6-6-3", boards);
  compare("--goal blank-first --partition 6-6-3 --kind blank-compressed", boards);
  const manhattan = (board, goal) => board.reduce((sum, number, cell) =>
    sum + (number && distance(cell, goal.indexOf(number), 4)), 0);
  compare("--goal blank-first --partition 6-6-3 --kind full", boards, manhattan);
  const small = ["867254301", "123456780", "647850321", "123745086"];
  const digits = small.map((board) => [...board].map(Number));
  compare("--size 3x3 --metric multi", digits);
  compare("--size 3x3 --metric multi --partition 1,2,3,4/5,6,7,8", digits);
  compare("--size 3x3 --partition 5-3", digits);
});

test("a search finds shortest solutions with the node counts of docs/format.md", () => {
  const boards = boardsIn("korf100.txt").slice(0, 10);
  const { goal, all, tables } = heuristic("--goal blank-first --partition 6-6-3");
  const means = [all.slice(0, 1), all].map((some) => {
    const search = new Search(4, 4, goal, some, tables);
    const nodes = boards.map(([...columns]) => {
      const { moves, generated } = search.solve(columns.slice(0, 16));
      assert.equal(moves.length, columns[16]);
      return generated;
    });
    return Math.round(nodes.reduce((a, b) => a + b) / boards.length).toLocaleString("en-US");
  });
  const words = `${means[0]} without the image and ${means[1]} with it`;
  assert(format.replace(/\s+/g, " ").includes(words), words);
});

test("the manifest in docs/format.md", () => {
  const [, options, shown] = format.match(/^`pdb-gen pack (.*) --out DIR`[^{]*({[^]*?\n    })$/m);
  const shownBytes = new TextEncoder().encode(shown);
  assert.deepEqual(readManifest(shownBytes), readManifest(bytesOf(pack(options), "manifest.json")));
});

test("the worked example of docs/format.md", () => {
  const [, words] = format.match(/^    solver --json "([\d /]+)"$/m);
  const board = words.split(/[ /]/).map(Number);
  const { goal, all, tables } = heuristic("--partition 6-6-3");
  const sums = all.map(({ parts }) => {
    const values = parts.map((part) => {
      const table = tables.get(part.name);
      const entry = entryOfBoard(board, goal, part, table);
      const rank = entry % table.rowLength;
      const value = table.value(entry);
      const lines = [
        `    tiles ${part.cells.map((cell) => goal[cell]).join(" ")}: ${part.name}`,
        `        cells 0 to 15 become ${part.symmetry.join(" ")}`,
        `        row ${(entry - rank) / table.rowLength}, rank ${rank}, entry ${entry}`,
        `        bit ${table.code(entry)}, h mod 4 = ${table.residue(entry)}, h = ${value}`,
      ];
      assert(format.includes(`${lines.join("\n")}\n`), `docs/format.md lacks\n${lines.join("\n")}`);
      return value;
    });
    const sum = values.reduce((a, b) => a + b);
    assert(format.includes(`    ${values.join(" + ")} = ${sum}\n`), `${values} = ${sum}`);
    return sum;
  });
  const [{ h0 }] = solver([board]);
  assert.equal(Math.max(...sums), h0);
  assert(format.includes(`"h0":${h0}`), `h0 is ${h0}`);
});

test("the commands", () => {
  const command = (script, ...words) => {
    const file = join(root, "scripts/readers", script);
    const { status, stdout, stderr } = spawnSync("node", [file, ...words], { encoding: "utf8" });
    return { status, stdout, lines: stderr.split("\n").length - 1 };
  };
  const name = "2x2-zero-aware-0.1.2-blank3.pdb";
  const path = join(tablesDirectory, name);
  assert.match(command("read_table.mjs", path).stdout, /^entries   24, 12 of them reached$/m);
  const values = tableCalled(name).values().map((value, entry) => `${entry},${value ?? ""}\n`);
  const printed = command("read_table.mjs", path, "--entries").stdout;
  assert.equal(printed, `entry,value\n${values.join("")}`);
  const renamed = join(scratch, "4x4-zero-aware-0.1.2-blank3.pdb");
  writeFileSync(renamed, readFileSync(path));
  const directory = pack("--size 2x2 --partition 3");
  const single = join(scratch, "single");
  const alone = join(directory, `${name}z`);
  for (const [i, from] of [directory, join(directory, "manifest.json"), single, alone].entries()) {
    const out = join(scratch, `unpacked-${i}`);
    assert.match(command("unpack_table.mjs", from).stdout, /^kind      zero-aware$/m);
    assert.equal(command("unpack_table.mjs", from, out).status, 0);
    assert.deepEqual(readdirSync(out), [name]);
    assertSame(bytesOf(out, name), bytesOf(path), from);
  }
  const solved = command("solve_board.mjs", directory, "0 1/3 2").stdout;
  assert.match(solved, /^2 moves of the blank: (RD|DR)\n\d+ nodes\n$/);
  const text = join(root, "README.md");
  for (const words of [
    ["read_table.mjs"], ["read_table.mjs", join(scratch, "missing")], ["read_table.mjs", renamed],
    ["read_table.mjs", text], ["unpack_table.mjs", text, join(scratch, "none")],
    ...["1 0/3 2 4", "2 1/3 0", "a b/c d"].map((board) => ["solve_board.mjs", directory, board]),
  ]) assert.deepEqual(command(...words), { status: 1, stdout: "", lines: 1 }, words.join(" "));
});
