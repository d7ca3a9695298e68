// Shared parts of the tests: boards, a file server, bundles from pdb-gen.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

export const packageDirectory = fileURLToPath(new URL("..", import.meta.url));
export const repository = fileURLToPath(new URL("../../..", import.meta.url));

export const GOAL_15 = "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0";
export const GOAL_8 = "1 2 3/4 5 6/7 8 0";
/** A board whose search takes minutes with the partition 6-6-3. */
export const HARD = "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1";

// --- Boards, independent of the package ---------------------------------------------------------

/** Splits moves into single letters, which stand for the directions of the tiles. */
export function letters(moves) {
  assert.match(moves, /^([UDLR]\d*)*$/);
  return [...moves.matchAll(/([UDLR])(\d*)/g)]
    .map(([, letter, count]) => letter.repeat(Number(count || 1)))
    .join("");
}

/** The board after the moves. */
export function replay(board, moves) {
  const rows = board.split("/").map((row) => row.trim().split(/\s+/));
  let y = rows.findIndex((row) => row.includes("0"));
  let x = rows[y].indexOf("0");
  for (const letter of letters(moves)) {
    // A tile that moves up is below the blank.
    const [dx, dy] = { U: [0, 1], D: [0, -1], L: [1, 0], R: [-1, 0] }[letter];
    const tile = rows[y + dy]?.[x + dx];
    assert.ok(tile, `${moves}: ${letter} leaves the frame`);
    rows[y][x] = tile;
    [x, y] = [x + dx, y + dy];
    rows[y][x] = "0";
  }
  return rows.map((row) => row.join(" ")).join("/");
}

/** Checks that a report has a solution of the given length. */
export function assertSolved(report, board, goal, length) {
  assert.equal(report.status, "solved");
  assert.equal(report.board, board);
  assert.equal(replay(board, report.moves), goal);
  assert.equal(letters(report.moves).length, report.length);
  if (length !== undefined) assert.equal(report.length, length);
}

export const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** A directory that is removed when the process ends. */
export function temporaryDirectory() {
  const directory = mkdtempSync(join(tmpdir(), "sliding-tile-pdb-"));
  process.on("exit", () => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

// --- pdb-gen ------------------------------------------------------------------------------------

/** Packs tables. Runs the program at the path in PDB_GEN, or by default target/release/pdb-gen. */
export function pack(out, ...options) {
  const built = join(repository, "target/release/pdb-gen");
  const command = process.env.PDB_GEN ?? built;
  assert.ok(existsSync(command), `no ${command}: run cargo build --release --bins, or set PDB_GEN`);
  const tables = join(temporaryDirectory(), "tables");
  execFileSync(command, ["pack", "--out", out, "--tables", tables, "--quiet", ...options]);
  return out;
}

// --- A file server ------------------------------------------------------------------------------

const TYPES = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".mjs": "text/javascript",
  ".wasm": "application/wasm",
};

/** Headers that allow a page to share memory with its workers. */
export const ISOLATED = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
};

/**
 * Serves a directory. `server.requests` lists the requests; `server.answer(request, response)` is
 * called for each request, and returns true if it has answered the request itself; `server.headers`
 * are sent with every file.
 */
export async function serve(directory, { headers = {} } = {}) {
  const server = { requests: [], answer: () => false, headers };
  const http = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    server.requests.push(pathname);
    if (server.answer(request, response)) return;
    let file = join(directory, normalize(decodeURIComponent(pathname)));
    if (existsSync(file) && statSync(file).isDirectory()) file = join(file, "index.html");
    if (!existsSync(file)) {
      response.writeHead(404, server.headers).end("nothing here");
      return;
    }
    const type = TYPES[extname(file)] ?? "application/octet-stream";
    response.writeHead(200, { ...server.headers, "content-type": type }).end(readFileSync(file));
  });
  await new Promise((resolve) => http.listen(0, "127.0.0.1", resolve));
  // A failed test must not keep the process alive.
  http.unref();
  server.url = (path) => new URL(path, `http://127.0.0.1:${http.address().port}/`);
  server.close = () => {
    http.closeAllConnections();
    http.close();
  };
  return server;
}
