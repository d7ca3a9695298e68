// The package in Chromium: from plain files, with all three ways of cancelling, and with storage.
import assert from "node:assert/strict";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { createSolver } from "../dist/index.js";
import { launch, openPage } from "./chromium.mjs";
import {
  GOAL_15,
  GOAL_8,
  HARD,
  ISOLATED,
  assertSolved,
  pack,
  packageDirectory,
  serve,
  sleep,
  temporaryDirectory,
} from "./support.mjs";

const board = "5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13";
const directory = temporaryDirectory();
let browser;

before(async () => {
  symlinkSync(packageDirectory, join(directory, "sliding-tile-pdb"));
  symlinkSync(join(packageDirectory, "examples/script"), join(directory, "script"));
  writeFileSync(
    join(directory, "empty.html"),
    '<!doctype html><title>Empty</title><link rel="icon" href="data:,">',
  );
  pack(join(directory, "6-6-3"), "--partition", "6-6-3");
  pack(join(directory, "again"), "--partition", "6-6-3");
  browser = await launch();
});
after(() => browser?.close());

test("the example of plain files", async () => {
  const server = await serve(directory);
  const page = await openPage(browser, server.url("script/"));
  await page.waitForFunction("document.querySelector('output').textContent.includes('moves')");
  const text = await page.textContent("output");
  const [, length, moves] = /^(\d+) moves: (\S+)$/.exec(text);
  assertSolved({ status: "solved", board, length: Number(length), moves }, board, GOAL_15, 55);
  assert.deepEqual(page.problems, []);
  const wasm = server.requests.filter((request) => request.endsWith(".wasm"));
  assert.equal(wasm.length, 1, "the module is fetched once for page and worker");
  const beyond = server.requests.filter(
    (request) => !/^\/(script\/|sliding-tile-pdb\/)/.test(request),
  );
  assert.deepEqual(beyond, []);
  await page.context().close();
  server.close();
});

const WAYS = {
  flag: { headers: ISOLATED, most: 60 },
  address: { headers: {}, most: 60 },
  // This page has no shared memory, and its policy forbids reading blob URLs. A busy worker cannot
  // notice a cancellation, so it is terminated.
  none: {
    headers: {
      "content-security-policy":
        "connect-src 'self'; script-src 'self' 'wasm-unsafe-eval' 'unsafe-eval'",
    },
    most: 80,
  },
};

for (const [way, { headers, most }] of Object.entries(WAYS)) {
  test(`cancelling by ${way}`, async (t) => {
    const server = await serve(directory, { headers });
    const page = await openPage(browser, server.url("empty.html"));
    const found = await page.evaluate(
      async ({ HARD, board }) => {
        const { createSolver } = await import("/sliding-tile-pdb/dist/index.js");
        const { WorkerThread } = await import("/sliding-tile-pdb/dist/thread.js");
        const threads = [];
        const { start } = WorkerThread;
        WorkerThread.start = async (...args) => {
          threads.push(await start.apply(WorkerThread, args));
          return threads.at(-1);
        };
        const solver = await createSolver({ size: "4x4", partition: "6-6-3" });
        const latencies = [];
        const lengths = [];
        for (const ms of [0, 30, 100, 177, 250]) {
          const stop = new AbortController();
          let begin;
          setTimeout(() => {
            begin = performance.now();
            stop.abort();
          }, ms);
          const error = await solver.solve(HARD, { signal: stop.signal }).catch((error) => error);
          latencies.push(performance.now() - begin);
          if (error.code !== "cancelled") throw error;
          lengths.push((await solver.solve(board)).length);
        }
        const rates = [];
        await solver
          .solve(HARD, { maxTime: 1000, onProgress: ({ rate }) => rates.push(rate) })
          .catch(() => {});
        solver.close();
        const { isDead } = threads[0];
        return {
          ways: threads.map(({ way }) => way),
          latencies,
          lengths,
          rate: rates.at(-1),
          isDead,
        };
      },
      { HARD, board },
    );
    const { ways, latencies, lengths, rate } = found;
    t.diagnostic(
      `${latencies.map((ms) => ms.toFixed(1)).join(", ")} ms; ${(rate / 1e6).toFixed(1)} million nodes/s; ${ways.length} workers`,
    );
    assert.deepEqual([...new Set(ways)], [way]);
    assert.equal(
      ways.length,
      way === "none" ? 6 : 1,
      "the tables stay where the worker can be told",
    );
    assert.ok(Math.max(...latencies) < most, `${latencies}`);
    assert.deepEqual(lengths, Array(5).fill(55));
    if (way !== "none") assert.deepEqual(page.problems, []);
    await page.context().close();
    server.close();
  });
}

describe("several threads", () => {
  const wasmOf = ({ requests }) =>
    requests.filter((request) => request.endsWith(".wasm")).map((path) => path.split("/").at(-2));

  test("the same lengths; cancelled at once; ended with the solver", async (t) => {
    const server = await serve(directory, { headers: ISOLATED });
    const page = await openPage(browser, server.url("empty.html"));
    await page.evaluate(async () => {
      const { createSolver, loadPuzzle } = await import("/sliding-tile-pdb/dist/index.js");
      Object.assign(window, { createSolver, puzzle: await loadPuzzle() });
    });
    assert.deepEqual(wasmOf(server), ["wasm-rules"], "the rules need no more");
    const found = await page.evaluate(
      async ({ HARD }) => {
        const solver = await createSolver({ size: "4x4", partition: "6-6-3", threads: 3 });
        const small = await createSolver({ size: "3x3", partition: "5-3", threads: 0 });
        const solved = [];
        for (const [one, size] of [
          [solver, "4x4"],
          [small, "3x3"],
        ]) {
          for (const { board } of puzzle.scramble({ size, number: 15, seed: 2 })) {
            solved.push([board, await one.solve(board)]);
          }
        }
        small.close();
        const latencies = [];
        for (const ms of [0, 20, 60, 120, 250]) {
          const stop = new AbortController();
          const answer = solver.solve(HARD, { signal: stop.signal }).catch(({ code }) => code);
          await new Promise((resolve) => setTimeout(resolve, ms));
          const start = performance.now();
          stop.abort();
          if ((await answer) !== "cancelled") throw new Error("not cancelled");
          latencies.push(performance.now() - start);
        }
        const [again] = [await solver.solve(solved[0][0])];
        window.solver = solver;
        return { solved, latencies, again, threads: [solver.threads, small.threads] };
      },
      { HARD },
    );
    const { solved, latencies, again, threads } = found;
    t.diagnostic(`${latencies.map((ms) => ms.toFixed(1)).join(", ")} ms`);
    const [, , median] = latencies.toSorted((a, b) => a - b);
    assert.ok(median < 50 && Math.max(...latencies) < 500, `${latencies}`);
    const cores = await page.evaluate("navigator.hardwareConcurrency");
    assert.deepEqual(threads, [3, Math.min(cores, 16)]);
    assert.equal(again.length, solved[0][1].length);
    assert.deepEqual(
      wasmOf(server),
      ["wasm-rules", "wasm-threads"],
      "fetched once for all workers",
    );
    const sizes = { "4x4": GOAL_15, "3x3": GOAL_8 };
    const ones = Object.fromEntries(
      await Promise.all(
        Object.keys(sizes).map(async (size) => [
          size,
          await createSolver({ size, partition: size === "4x4" ? "6-6-3" : "5-3" }),
        ]),
      ),
    );
    for (const [number, [board, report]] of solved.entries()) {
      const size = number < 15 ? "4x4" : "3x3";
      const { length } = await ones[size].solve(board);
      assertSolved(report, board, sizes[size], length);
      assert.equal(report.threads, threads[number < 15 ? 0 : 1]);
    }
    for (const one of Object.values(ones)) one.close();
    // Browsers take several seconds to end busy or blocked workers.
    const workersAre = async (number) => {
      for (let i = 0; i < 200 && page.workers().length !== number; i++) await sleep(20);
      assert.equal(page.workers().length, number);
    };
    await workersAre(3);
    await page.evaluate("void solver.solve(" + JSON.stringify(HARD) + ").catch(() => {})");
    await page.evaluate("solver.close()");
    await workersAre(0);
    assert.deepEqual(page.problems, []);
    await page.context().close();
    server.close();
  });

  test("one thread if memory cannot be shared, or helpers cannot be started", async () => {
    const alone = async (server, prepare = "0") => {
      const page = await openPage(browser, server.url("empty.html"));
      await page.evaluate(prepare);
      const found = await page.evaluate(async () => {
        const { createSolver } = await import("/sliding-tile-pdb/dist/index.js");
        const solver = await createSolver({ size: "3x3", threads: 2 });
        const { length, threads } = await solver.solve("8 6 7/2 5 4/3 0 1");
        return [length, threads, solver.threads];
      });
      assert.deepEqual(found, [31, 1, 1]);
      await page.context().close();
    };
    let server = await serve(directory);
    await alone(server);
    assert.deepEqual(wasmOf(server), ["wasm"]);
    server.close();
    server = await serve(directory, { headers: ISOLATED });
    await alone(
      server,
      "WebAssembly.Memory = class { constructor() { throw new RangeError('no room'); } };",
    );
    assert.deepEqual(wasmOf(server), ["wasm"]);
    // In the first round, all requests of the worker file fail, except the first request. In the
    // second round, all requests of the threaded module fail.
    for (const [end, first] of [
      ["worker-threads.js", 1],
      ["wasm-threads/sliding_tile_pdb_bg.wasm", 0],
    ]) {
      let count = 0;
      server.answer = ({ url }, response) => {
        if (!url.endsWith(end) || count++ < first) return false;
        response.writeHead(404, ISOLATED).end();
        return true;
      };
      await alone(server);
      assert.ok(count > first, end);
    }
    server.close();
  });

  test("the call ends if a helper dies, and the next call works", async () => {
    const server = await serve(directory, { headers: ISOLATED });
    const page = await openPage(browser, server.url("empty.html"));
    const found = await page.evaluate(
      async ({ HARD, board }) => {
        const workers = [];
        const { Worker } = window;
        window.Worker = class extends Worker {
          constructor(...args) {
            super(...args);
            workers.push(this);
          }
        };
        const { createSolver } = await import("/sliding-tile-pdb/dist/index.js");
        const solver = await createSolver({ partition: "6-6-3", threads: 2 });
        const call = solver.solve(HARD).catch(({ code }) => code);
        // Simulates the message of a helper whose instance has trapped.
        const error = { code: "memory", message: "out of memory", isFatal: true };
        setTimeout(() => workers[1].onmessage({ data: { type: "failed", error } }), 50);
        const code = await call;
        const { length, threads } = await solver.solve(board);
        return [code, length, threads, workers.length];
      },
      { HARD, board },
    );
    assert.deepEqual(found, ["memory", 55, 2, 4]);
    await page.context().close();
    server.close();
  });
});

describe("storage", () => {
  const load = (page, path, options = {}) =>
    page.evaluate(
      async ({ path, options }) => {
        const { createSolver, storedTables } = await import("/sliding-tile-pdb/dist/index.js");
        const progress = [];
        const solver = await createSolver({
          ...options,
          tables: new URL(path, location.href),
          onProgress: (one) => progress.push(one),
        });
        const { length } = await solver.solve("5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13");
        const [warnings, verified] = [solver.warnings, solver.tables.map((one) => one.verified)];
        solver.close();
        const stored = await storedTables().catch((error) => error.code);
        return { length, warnings, verified, progress, stored };
      },
      { path, options },
    );

  test("tables are kept for the next visit, used, found damaged, forgotten", async () => {
    const server = await serve(directory);
    const page = await openPage(browser, server.url("empty.html"));
    const isTable = (request) => /\.pdbz$/.test(request);
    let found = await load(page, "/6-6-3/manifest.json", { keep: false });
    assert.deepEqual(found.stored, []);
    found = await load(page, "/6-6-3/manifest.json");
    assert.equal(found.length, 55);
    assert.deepEqual(found.verified, ["sums", "sums", "sums"]);
    assert.equal(found.stored.length, 3);
    assert.ok(
      found.stored.every(({ bytes, time, file }) => bytes > 0 && time > 1e12 && /^4x4-/.test(file)),
    );

    await page.reload();
    server.requests.length = 0;
    found = await load(page, "/6-6-3/manifest.json");
    assert.equal(found.length, 55);
    assert.deepEqual(server.requests.filter(isTable), []);
    found = await load(page, "/again/manifest.json");
    assert.deepEqual(server.requests.filter(isTable), [], "by their sums, wherever they come from");

    await page.evaluate(async ({ sha256 }) => {
      const request = indexedDB.open("sliding-tile-pdb");
      await new Promise((resolve) => (request.onsuccess = resolve));
      const store = request.result.transaction("bytes", "readwrite").objectStore("bytes");
      const put = store.put(new ArrayBuffer(100), sha256);
      await new Promise((resolve) => (put.onsuccess = resolve));
      request.result.close();
    }, found.stored[0]);
    found = await load(page, "/6-6-3/manifest.json");
    assert.equal(found.length, 55);
    assert.equal(server.requests.filter(isTable).length, 1);

    const left = await page.evaluate(async ({ sha256 }) => {
      const { forgetTables, storedTables } = await import("/sliding-tile-pdb/dist/index.js");
      await forgetTables([sha256]);
      const one = (await storedTables()).length;
      await forgetTables();
      return [one, (await storedTables()).length];
    }, found.stored[0]);
    assert.deepEqual(left, [2, 0]);
    assert.deepEqual(page.problems, []);
    await page.context().close();
    server.close();
  });

  test("denied or full storage is a warning", async () => {
    const server = await serve(directory);
    for (const [what, words] of [
      ["denied", /denied/],
      ["full", /full/],
    ]) {
      const page = await openPage(browser, server.url("empty.html"));
      await page.evaluate((what) => {
        if (what === "denied") {
          IDBFactory.prototype.open = () => {
            throw new DOMException("The operation is insecure.", "SecurityError");
          };
        } else {
          IDBObjectStore.prototype.put = () => {
            throw new DOMException("No room.", "QuotaExceededError");
          };
        }
      }, what);
      const found = await load(page, "/6-6-3/manifest.json");
      assert.equal(found.length, 55);
      assert.equal(found.warnings.length, 1);
      assert.match(found.warnings[0], words);
      assert.equal(found.progress.filter(({ warning }) => warning).length, 1);
      assert.deepEqual(found.stored, what === "denied" ? "storage" : []);
      await page.context().close();
    }
    server.close();
  });
});

test("a package from another origin", async () => {
  const other = await serve(directory, { headers: { "access-control-allow-origin": "*" } });
  const server = await serve(directory);
  const page = await openPage(browser, server.url("empty.html"));
  const length = await page.evaluate(
    async ({ api, board }) => {
      const { createSolver } = await import(api);
      return (await (await createSolver({ partition: "6-6-3" })).solve(board)).length;
    },
    { api: other.url("sliding-tile-pdb/dist/index.js").href, board },
  );
  assert.equal(length, 55);
  await page.context().close();
  other.close();
  server.close();
});

test("errors name the missing feature of a host", async () => {
  const server = await serve(directory);
  const codes = async (prepare) => {
    const page = await openPage(browser, server.url("empty.html"));
    await page.evaluate(prepare);
    const answer = await page.evaluate(async () => {
      const { createSolver } = await import("/sliding-tile-pdb/dist/index.js");
      return createSolver({ size: "3x3" }).then(
        async (solver) => (await solver.solve("8 6 7/2 5 4/3 0 1")).length,
        (error) => [error.code, error.message],
      );
    });
    await page.context().close();
    return answer;
  };
  const [code, message] = await codes("delete globalThis.WebAssembly");
  assert.equal(code, "unsupported");
  assert.match(message, /WebAssembly/);
  assert.equal(await codes("delete globalThis.Worker"), 31, "on the page's own thread");
  server.answer = ({ url }, response) => {
    if (!url.endsWith("worker.js")) return false;
    response.writeHead(404).end();
    return true;
  };
  assert.equal((await codes("0"))[0], "unsupported");
  server.answer = ({ url }, response) => {
    if (!url.endsWith(".wasm")) return false;
    response.writeHead(404).end();
    return true;
  };
  assert.equal((await codes("0"))[0], "download");
  // A host with a wrong content type for .wasm.
  server.answer = ({ url }, response) => {
    if (url.endsWith(".wasm")) response.setHeader("content-type", "text/plain");
    return false;
  };
  assert.equal(await codes("0"), 31);
  server.close();
});
