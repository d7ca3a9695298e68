// The package in Chromium: from plain files, in all three ways of cancelling, with its storage.
import assert from "node:assert/strict";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { launch, openPage } from "./chromium.mjs";
import {
  GOAL_15,
  HARD,
  assertSolved,
  pack,
  packageDirectory,
  serve,
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
  pack(join(directory, "tables.pack"), "--partition", "6-6-3", "--single");
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

const ISOLATED = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
};
const WAYS = {
  flag: { headers: ISOLATED, most: 60 },
  address: { headers: {}, most: 60 },
  // A page whose policy forbids to read blob URLs: the worker is ended.
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
        WorkerThread.start = async (module) => {
          threads.push(await start.call(WorkerThread, module));
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
    const isTable = (request) => /\.pdbz|bytes=(?!0-)/.test(request);
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
    found = await load(page, "/tables.pack");
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

  test("denied or full: goes on, with a warning", async () => {
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

test("hosts that lack something say what", async () => {
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
  // A host that does not know the type.
  server.answer = ({ url }, response) => {
    if (url.endsWith(".wasm")) response.setHeader("content-type", "text/plain");
    return false;
  };
  assert.equal(await codes("0"), 31);
  server.close();
});
