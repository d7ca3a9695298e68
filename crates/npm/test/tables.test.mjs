// Tables from bytes and bundles, over HTTP and from files: valid, damaged, foreign and truncated.
import assert from "node:assert/strict";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { WorkerThread } from "../dist/thread.js";
import {
  CancelledError,
  DownloadError,
  TableError,
  createSolver,
  forgetTables,
  loadPuzzle,
  storedTables,
} from "../dist/index.js";
import {
  GOAL_15,
  assertSolved,
  pack,
  serve,
  sha256,
  sleep,
  temporaryDirectory,
} from "./support.mjs";

const board = "5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13";
const directory = temporaryDirectory();
const bundle = join(directory, "6-6-3");
const manifest = () => JSON.parse(readFileSync(join(bundle, "manifest.json"), "utf8"));
const packedFiles = () => manifest().tables.map(({ packed }) => packed.file);
let server;

before(async () => {
  pack(bundle, "--partition", "6-6-3");
  pack(join(directory, "8"), "--size", "3x3", "--goal", "blank-first", "--partition", "8");
  pack(join(directory, "runs"), "--size", "3x3", "--metric", "multi");
  pack(join(directory, "sides"), "--size", "3x3", "--partition", "5-3", "--both-sides");
  pack(join(directory, "two"), "--size", "3x3", "--partition", "1,2,3/4,5,6,7,8+8");
  writeFileSync(join(directory, "page.json"), "<!doctype html><title>A page</title>");
});

const fresh = async (options) => {
  server?.close();
  server = await serve(directory, options);
};
after(() => server?.close());

async function assertWorks(options, verified = "sums") {
  const solver = await createSolver(options);
  assert.deepEqual([...new Set(solver.tables.map((table) => table.verified))], [verified]);
  assert.equal(solver.partition, "6-6-3");
  assertSolved(await solver.solve(board), board, GOAL_15, 55);
  for (const { file } of solver.tables) {
    const { table } = manifest().tables.find(({ table }) => table.file === file);
    assert.equal(sha256(await solver.table(file)), table.sha256);
  }
  solver.close();
  return solver;
}

describe("bytes", () => {
  const read = () => packedFiles().map((file) => new Uint8Array(readFileSync(join(bundle, file))));

  test("packed tables and table files, in any order", async () => {
    await assertWorks({ partition: "6-6-3", tables: read() });
    await assertWorks({ partition: "6-6-3", tables: read().reverse() });
    const progress = [];
    const tables = read();
    const onProgress = (one) => progress.push(one);
    await assertWorks({ partition: "6-6-3", tables, onProgress });
    assert.ok(progress.some(({ stage }) => stage === "unpack"));
    assert.equal(progress.at(-1).done, 1);
    assert.deepEqual(tables, read(), "the caller's bytes stay");
    await assertWorks({ partition: "6-6-3", tables, worker: false });

    const solver = await createSolver({ partition: "6-6-3" });
    const files = [];
    for (const { file } of solver.tables) files.push(await solver.table(file));
    solver.close();
    await assertWorks({ partition: "6-6-3", tables: files });
    // The tables can be views into a larger buffer.
    const [first, ...rest] = files;
    const large = new Uint8Array(first.length + 200);
    large.set(first, 100);
    await assertWorks({ partition: "6-6-3", tables: [large.subarray(100, -100), ...rest] });
  });

  test("damaged, truncated, foreign, missing tables", async () => {
    const [first, ...rest] = read();
    const flipped = first.slice();
    flipped[flipped.length >> 1] ^= 1;
    const header = first.slice();
    header[40] ^= 1;
    const foreign = new Uint8Array(
      readFileSync(join(directory, "8", readdirSync(join(directory, "8"))[0])),
    );
    for (const [tables, words] of [
      [[flipped, ...rest], /./],
      [[header, ...rest], /./],
      [[first.subarray(0, -1), ...rest], /./],
      [[first.subarray(0, 20), ...rest], /./],
      [[foreign, ...rest], /3x3/],
      [rest, /missing/],
      [new Uint8Array(), /./],
      [new Uint8Array(100), /./],
      [new TextEncoder().encode("<!doctype html>"), /./],
    ]) {
      await assert.rejects(createSolver({ partition: "6-6-3", tables }), (error) => {
        assert.ok(error instanceof TableError, error.stack);
        assert.match(error.message, words);
        return true;
      });
    }
  });
});

describe("bundles", () => {
  test("a directory by its manifest: only what is needed, with progress", async () => {
    await fresh();
    const progress = [];
    const onProgress = (one) => progress.push(one);
    await assertWorks({ tables: server.url("6-6-3/manifest.json"), onProgress });
    const files = packedFiles().map((file) => `/6-6-3/${file}`);
    assert.deepEqual(server.requests.toSorted(), ["/6-6-3/manifest.json", ...files].toSorted());
    const downloads = progress.filter(({ stage }) => stage === "download");
    assert.equal(downloads.at(-1).done, 1);
    for (const [i, { done }] of downloads.entries())
      assert.ok(done >= (downloads[i - 1]?.done ?? 0));
  });

  test("parts of a bundle", async () => {
    await fresh();
    const tables = server.url("two/manifest.json");
    const solver = await createSolver({ tables, size: "3x3", partition: "8" });
    assert.equal(server.requests.length, 2);
    assert.equal((await solver.solve("8 6 7/2 5 4/3 0 1")).length, 31);
    solver.close();
    const both = await createSolver({ tables, maxBuildTime: 0 });
    assert.equal(both.tables.length, 3);
    assert.equal(both.partition, "1,2,3/4,5,6,7,8+8");
    assert.equal(both.reason, undefined);
    assert.equal((await both.solve("8 6 7/2 5 4/3 0 1")).length, 31);
    both.close();
  });

  test("a bundle for both sides", async () => {
    await fresh();
    const edge = "8 6 7/2 5 4/3 0 1";
    const tables = server.url("sides/manifest.json");
    const fromGoal = async (options) => {
      const solver = await createSolver(options);
      assert.equal(solver.partition, "5-3");
      assert.equal(solver.tables.length, 2);
      assertSolved(await solver.solve(edge), edge, "1 2 3/4 5 6/7 8 0", 31);
      return solver.solve(edge, { side: "goal" }).finally(() => solver.close());
    };
    assertSolved(await fromGoal({ tables }), edge, "1 2 3/4 5 6/7 8 0", 31);
    const files = readdirSync(join(directory, "sides"));
    assert.equal(server.requests.length, files.length);
    await assert.rejects(fromGoal({ tables, bothSides: false }), { code: "table" });
    assert.equal(server.requests.length, files.length + 3);
    const packed = files.filter((file) => !file.endsWith(".json"));
    assert.ok(packed.length > 2);
    const bytes = packed.map(
      (file) => new Uint8Array(readFileSync(join(directory, "sides", file))),
    );
    const loose = { size: "3x3", partition: "5-3", tables: bytes };
    for (const bothSides of [undefined, false]) {
      assertSolved(await fromGoal({ ...loose, bothSides }), edge, "1 2 3/4 5 6/7 8 0", 31);
    }
  });

  test("omitted options come from the bundle", async () => {
    await fresh();
    const first = await createSolver({ tables: server.url("8/manifest.json") });
    assert.equal(first.goal.board, "0 1 2/3 4 5/6 7 8");
    first.close();
    const multi = await createSolver({ tables: server.url("runs/manifest.json") });
    assert.equal(multi.metric, "multi");
    multi.close();
    const other = createSolver({
      size: "3x3",
      partition: "1,2,3,4/5,6,7,8",
      tables: server.url("8/manifest.json"),
    });
    await assert.rejects(other, { code: "table", message: /goal 0 1 2 3 4 5 6 7 8/ });
  });

  test("files", async () => {
    await assertWorks({ tables: pathToFileURL(join(bundle, "manifest.json")) });
    await assertWorks({ tables: pathToFileURL(join(bundle, "manifest.json")), worker: false });
    const missing = pathToFileURL(join(directory, "nothing.json"));
    await assert.rejects(createSolver({ tables: missing }), { code: "download" });
  });

  test("a failed download is repeated once", async () => {
    for (const trouble of ["sum", "length", "end", "status"]) {
      await fresh();
      const [file] = packedFiles();
      let count = 0;
      server.answer = ({ url }, response) => {
        if (!url.endsWith(file) || count++ > 0) return false;
        const bytes = readFileSync(join(bundle, file));
        if (trouble === "sum") {
          bytes[1000] ^= 1;
          response.end(bytes);
        } else if (trouble === "length") {
          response.end(bytes.subarray(0, 1000));
        } else if (trouble === "end") {
          response.writeHead(200, { "content-length": bytes.length });
          response.write(bytes.subarray(0, 1000), () => response.destroy());
        } else {
          response.writeHead(503).end();
        }
        return true;
      };
      await assertWorks({ tables: server.url("6-6-3/manifest.json") });
      assert.equal(count, 2, trouble);
    }
  });

  test("a download that fails twice is a DownloadError with its URL", async () => {
    await fresh();
    const [file] = packedFiles();
    const damaged = readFileSync(join(bundle, file));
    damaged[1000] ^= 1;
    let count = 0;
    server.answer = ({ url }, response) => {
      if (!url.endsWith(file)) return false;
      count++;
      response.end(damaged);
      return true;
    };
    const tables = server.url("6-6-3/manifest.json");
    await assert.rejects(createSolver({ tables }), (error) => {
      assert.ok(error instanceof DownloadError);
      assert.match(error.message, /SHA-256/);
      assert.ok(error.url.startsWith(server.url("").href));
      return true;
    });
    assert.equal(count, 2);
    server.answer = ({ url }, response) => url.endsWith(file) && response.end("short");
    const short = createSolver({ tables });
    await assert.rejects(short, { code: "download", message: /5 bytes, should have/ });
  });

  test("reading stops after the number of bytes in the manifest", async () => {
    await fresh();
    const [file] = packedFiles();
    server.answer = ({ url }, response) => {
      if (!url.endsWith(file)) return false;
      const send = () => response.write(Buffer.alloc(2 ** 16), () => response.destroyed || send());
      send();
      return true;
    };
    const tables = server.url("6-6-3/manifest.json");
    await assert.rejects(createSolver({ tables }), { code: "download", message: /more than/ });
  });

  test("404, 500, no server, a page instead of a manifest", async () => {
    await fresh();
    const missing = server.url("nothing/manifest.json");
    await assert.rejects(createSolver({ tables: missing }), {
      name: "DownloadError",
      code: "download",
      status: 404,
      url: missing.href,
    });
    assert.equal(server.requests.length, 1, "who says no says so again");
    const [file] = packedFiles();
    server.answer = ({ url }, response) => url.endsWith(file) && response.writeHead(410).end();
    server.requests.length = 0;
    const part = createSolver({ tables: server.url("6-6-3/manifest.json") });
    await assert.rejects(part, { code: "download", status: 410 });
    assert.equal(server.requests.filter((request) => request.endsWith(file)).length, 1);
    server.answer = () => false;
    const page = createSolver({ tables: server.url("page.json") });
    await assert.rejects(page, { code: "table", message: /answered with a page/ });
    server.answer = (_, response) => response.writeHead(500).end();
    server.requests.length = 0;
    const tables = server.url("6-6-3/manifest.json");
    await assert.rejects(createSolver({ tables }), { status: 500 });
    assert.equal(server.requests.length, 2);
    server.close();
    const gone = createSolver({ tables });
    await assert.rejects(gone, (error) => error.code === "download" && error.status === undefined);
  });

  test("a damaged manifest, and one with a file name outside its directory", async () => {
    await fresh();
    let change;
    server.answer = ({ url }, response) => {
      if (!url.endsWith("manifest.json")) return false;
      const changed = manifest();
      change(changed);
      response.end(JSON.stringify(changed));
      return true;
    };
    for (const [what, edit] of Object.entries({
      name: (one) => (one.tables[0].packed.file = "../secret.pdbz"),
      url: (one) => (one.tables[0].packed.file = "https://example.org/x.pdbz"),
      field: (one) => (one.more = 1),
      version: (one) => (one.version = 9),
      goal: (one) => one.goal.pop(),
      long: (one) => one.goal.push(16),
      sum: (one) => (one.tables[0].packed.sha256 = "what"),
    })) {
      change = edit;
      server.requests.length = 0;
      const tables = server.url("6-6-3/manifest.json");
      await assert.rejects(createSolver({ tables }), { code: "table" }, what);
      assert.ok(
        server.requests.every((request) => request.endsWith("manifest.json")),
        what,
      );
    }
  });

  test("abort in the middle of a download", async () => {
    await fresh();
    const closed = [];
    server.answer = (request, response) => {
      if (!request.url.endsWith("z")) return false;
      response.writeHead(200);
      response.write(Buffer.alloc(500));
      response.on("close", () => closed.push(request.url));
      return true;
    };
    const stop = new AbortController();
    let start;
    setTimeout(() => {
      start = performance.now();
      stop.abort("why");
    }, 150);
    const tables = server.url("6-6-3/manifest.json");
    await assert.rejects(createSolver({ tables, signal: stop.signal }), (error) => {
      assert.ok(error instanceof CancelledError);
      assert.equal(error.cause, "why");
      return true;
    });
    assert.ok(performance.now() - start < 50);
    await sleep(100);
    assert.equal(closed.length, 3, "nothing is fetched any more");
  });

  test("a dead worker is replaced without the network", async () => {
    await fresh();
    const threads = [];
    const { start } = WorkerThread;
    WorkerThread.start = async (...args) => {
      threads.push(await start.apply(WorkerThread, args));
      return threads.at(-1);
    };
    try {
      const solver = await createSolver({ tables: server.url("6-6-3/manifest.json") });
      const count = server.requests.length;
      const call = solver.solve("0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1");
      await sleep(50);
      threads.at(-1).terminate();
      await assert.rejects(call, { code: "error" });
      assertSolved(await solver.solve(board), board, GOAL_15, 55);
      assert.equal(solver.tables[0].verified, "sums");
      assert.equal(server.requests.length, count);
      solver.close();
      assert.equal(threads.length, 2);
    } finally {
      WorkerThread.start = start;
    }
  });

  test("without SHA-256 of the host the module computes it", async () => {
    await fresh();
    const subtle = Object.getOwnPropertyDescriptor(Crypto.prototype, "subtle");
    Object.defineProperty(Crypto.prototype, "subtle", { value: undefined, configurable: true });
    try {
      await assertWorks({ tables: server.url("6-6-3/manifest.json") });
    } finally {
      Object.defineProperty(Crypto.prototype, "subtle", subtle);
    }
  });
});

test("Node keeps no tables", async () => {
  assert.deepEqual(await storedTables(), []);
  await forgetTables();
});

test("by default only the module is loaded", async () => {
  const { fetch } = globalThis;
  const asked = [];
  globalThis.fetch = (url) => {
    asked.push(url);
    throw new Error("no network");
  };
  try {
    (await createSolver({ size: "3x3" })).close();
    await loadPuzzle();
    assert.deepEqual(asked, []);
  } finally {
    globalThis.fetch = fetch;
  }
});
