// Builds tables and solves boards in Node (18 or later) with the WebAssembly module of crates/wasm.
//
//   node scripts/wasm-test.mjs WASM_FILE [DIRECTORY]
//
// DIRECTORY holds the tables that pdb-gen built for 6-6-3: those of the module must have the same
// bytes.
// Prints what it did; exits with 1 at the first thing that is wrong.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";

const [wasmFile, directory] = process.argv.slice(2);
if (!wasmFile) {
  console.error("usage: node wasm-test.mjs WASM_FILE [DIRECTORY]");
  process.exit(2);
}

// --- The module: a text in, a JSON text out (see crates/wasm/src/lib.rs) ---

const { module, instance } = await WebAssembly.instantiate(readFileSync(wasmFile), {});
assert.deepEqual(WebAssembly.Module.imports(module), [], "the module needs no imports");
const wasm = instance.exports;

/** The module's bytes at an address. Valid until the next call. */
const bytesAt = (address, length) =>
  new Uint8Array(wasm.memory.buffer, address >>> 0, length >>> 0);

/** Calls `build` or `solve` with a text, or bytes that may be none. */
function call(work, text) {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  bytesAt(wasm.text_buffer(bytes.length), bytes.length).set(bytes);
  const address = work();
  return JSON.parse(new TextDecoder().decode(bytesAt(address, wasm.text_length())));
}

const solve = (board) => call(wasm.solve, board);

function build(request) {
  const start = performance.now();
  const answer = call(wasm.build, JSON.stringify(request));
  const ms = performance.now() - start;
  assert.equal(answer.status, "built", answer.message);
  const size = answer.tables.reduce((sum, table) => sum + table.length, 0);
  const what = Object.values(request).join(" ");
  console.log(`built ${what}: ${answer.tables.length} tables, ${size} bytes, ${ms.toFixed(0)} ms`);
  return answer.tables;
}

// --- Boards, on their own: nothing here comes from the module --------------

/** The board after `moves`: letters for the way the tile goes, with counts. */
function replay(board, moves) {
  assert.match(moves, /^([UDLR]\d*)*$/);
  const rows = board.split("/").map((row) => row.trim().split(/\s+/));
  let y = rows.findIndex((row) => row.includes("0"));
  let x = rows[y].indexOf("0");
  for (const [, letter, count] of moves.matchAll(/([UDLR])(\d*)/g)) {
    // The tile comes from the other side of the blank.
    const [dx, dy] = { U: [0, 1], D: [0, -1], L: [1, 0], R: [-1, 0] }[letter];
    for (let i = 0; i < Number(count || 1); i++) {
      const tile = rows[y + dy]?.[x + dx];
      assert.ok(tile, `${moves}: ${letter} leaves the frame`);
      rows[y][x] = tile;
      [x, y] = [x + dx, y + dy];
      rows[y][x] = "0";
    }
  }
  return rows.map((row) => row.join(" ")).join("/");
}

const moveCount = (moves) =>
  [...moves.matchAll(/[UDLR](\d*)/g)].reduce((sum, [, count]) => sum + Number(count || 1), 0);

function solves(board, goal, length) {
  const start = performance.now();
  const answer = solve(board);
  const ms = performance.now() - start;
  assert.equal(answer.status, "solved", `${board}: ${answer.message}`);
  assert.equal(answer.length, length, board);
  assert.equal(moveCount(answer.moves), length, board);
  assert.equal(replay(board, answer.moves), goal, board);
  assert.ok(answer.h0 <= length && answer.h0 % 2 === length % 2, board);
  assert.ok(answer.nodes >= length && answer.expanded >= length, board);
  const cost = `${answer.nodes} nodes generated, ${answer.expanded} expanded`;
  const moves = answer.moves || "-";
  console.log(`solved ${board}: ${length} moves ${moves}, ${cost}, ${ms.toFixed(1)} ms`);
}

function fails(status, words, answer) {
  assert.equal(answer.status, status);
  assert.match(answer.message, words);
  console.log(`${status}, as it should be: ${answer.message}`);
}

// --- 15-puzzle -------------------------------------------------------------

fails("error", /no solver/, solve("1 2 3/4 5 6/7 8 0"));

const tables = build({ size: "4x4", goal: "blank-last", partition: "6-6-3" });
assert.equal(tables.length, 3);
assert.equal(wasm.table_bytes(tables.length), 0, "there is no table after the last");
const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");
tables.forEach(({ file, length }, index) => {
  const bytes = bytesAt(wasm.table_bytes(index), length);
  const sum = sha256(bytes);
  if (directory) {
    const native = readFileSync(join(directory, file));
    assert.equal(sum, sha256(native), `${file}: other bytes than pdb-gen's`);
    assert.ok(native.equals(bytes), file);
  }
  console.log(`${sum}  ${file}${directory ? " (the same as pdb-gen's)" : ""}`);
});

const goal15 = "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0";
solves("5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13", goal15, 55);
solves(goal15, goal15, 0);
fails("unsolvable", /./, solve("1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0"));
fails("error", /3x3/, solve("1 2 3/4 5 6/7 8 0"));
for (const nonsense of ["", "what", "1 2 3", "1 1 2 3/4 5 6 7/8 9 10 11/12 13 14 0"]) {
  fails("error", /./, solve(nonsense));
}
fails("error", /utf-8/, call(wasm.solve, Uint8Array.of(0xc3, 0x28)));

// --- 8-puzzle, which takes the 15-puzzle's place ---------------------------

build({ size: "3x3", goal: "blank-last", partition: "8" });
const goal8 = "1 2 3/4 5 6/7 8 0";
solves("8 6 7/2 5 4/3 0 1", goal8, 31);
solves("6 4 7/8 5 0/3 2 1", goal8, 31);
solves("1 2 3/4 0 6/7 5 8", goal8, 2);
fails("unsolvable", /./, solve("1 2 3/4 5 6/8 7 0"));

// Other goals; sizes and partitions that are not given.
build({ size: "3x3", goal: "blank-first" });
solves("1 0 2/3 4 5/6 7 8", "0 1 2/3 4 5/6 7 8", 1);
build({ goal: "8 7 6/5 0 4/3 2 1" });
solves("8 7 6/5 4 1/3 2 0", "8 7 6/5 0 4/3 2 1", 2);

// --- Requests that cannot be met -------------------------------------------

fails("error", /./, call(wasm.build, "nonsense"));
for (const [request, words] of [
  [{ size: "4" }, /4/],
  [{ size: "4x4", goal: "what" }, /goal/],
  [{ size: "4x4", partition: "6-6-4" }, /16 tiles/],
  [{ size: "4x4", partition: "12-3" }, /memory/],
  [{ size: "4x4", table: "6-6-3" }, /table/],
]) {
  fails("error", words, call(wasm.build, JSON.stringify(request)));
}
assert.equal(wasm.text_buffer(0xffffffff), 0, "no room for such a text");
fails("error", /no solver/, solve(goal8));
console.log(`all right, with ${wasm.memory.buffer.byteLength >> 20} MiB of memory`);
