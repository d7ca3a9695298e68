// Several threads, in workers of Node.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createLaboratory, createSolver, loadPuzzle } from "../dist/index.js";
import { coreCount, sharedMemory } from "../dist/host.js";
import { WorkerThread } from "../dist/thread.js";
import { GOAL_15, GOAL_8, HARD, assertSolved, sleep } from "./support.mjs";

const board = "5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13";
const file = (name) => new URL(`../${name}/sliding_tile_pdb_bg.wasm`, import.meta.url);

test("the same lengths as with one thread", async () => {
  const puzzle = await loadPuzzle();
  for (const [size, goal, partition] of [
    ["3x3", GOAL_8, "5-3"],
    ["4x4", GOAL_15, "6-6-3"],
  ]) {
    const [one, several] = [
      await createSolver({ size, partition }),
      await createSolver({ size, partition, threads: 3 }),
    ];
    assert.deepEqual([one.threads, several.threads], [1, 3]);
    assert.deepEqual(
      await several.table(several.tables[0].file),
      await one.table(one.tables[0].file),
    );
    for (const { board } of puzzle.scramble({ size, number: 15, seed: 1 })) {
      const { length, threads } = await one.solve(board);
      assert.equal(threads, 1);
      const report = await several.solve(board);
      assertSolved(report, board, goal, length);
      assert.equal(report.threads, 3);
    }
    one.close();
    several.close();
  }
});

test("a call can use fewer threads, but not more", async () => {
  const solver = await createSolver({ partition: "6-6-3", threads: 2 });
  for (const [threads, used] of [
    [undefined, 2],
    [0, 2],
    [1, 1],
    [2, 2],
    [9, 2],
  ]) {
    assert.equal((await solver.solve(board, { threads })).threads, used, `${threads}`);
  }
  for (const threads of [-1, 1.5, NaN, "2"]) {
    await assert.rejects(solver.solve(board, { threads }), { code: "error" });
    await assert.rejects(createSolver({ size: "2x2", threads }), { code: "error" });
  }
  solver.close();
});

test("the number of cores; at most 16", async () => {
  let solver = await createSolver({ size: "3x3", threads: 0 });
  assert.equal(solver.threads, Math.min(16, coreCount()));
  solver.close();
  solver = await createSolver({ size: "3x3", threads: 100 });
  assert.equal(solver.threads, 16);
  assert.equal((await solver.solve("8 6 7/2 5 4/3 0 1")).length, 31);
  solver.close();
});

test("all kinds of calls can be cancelled, and the solver still works", (t) =>
  watch((starts) => cancelAll(t, starts)));

async function cancelAll(t, starts) {
  const solver = await createSolver({ partition: "6-6-3", threads: 2 });
  const calls = {
    solve: (signal) => solver.solve(HARD, { signal }),
    anytime: (signal) => solver.solve(HARD, { signal, mode: "anytime" }),
    hint: (signal) => solver.hint(HARD, { signal }),
    rate: (signal) => solver.rate(HARD, "L", { signal }),
    allSolutions: (signal) => solver.allSolutions(HARD, { signal }),
  };
  for (const [name, call] of Object.entries(calls)) {
    const latencies = [];
    for (const ms of [0, 20, 50, 120, 200]) {
      const stop = new AbortController();
      const answer = call(stop.signal).catch((error) => error);
      await sleep(ms);
      const start = performance.now();
      stop.abort();
      assert.equal((await answer).code, "cancelled");
      latencies.push(performance.now() - start);
    }
    t.diagnostic(`${name}: ${latencies.map((ms) => ms.toFixed(1)).join(", ")} ms`);
    const [, , median] = latencies.toSorted((a, b) => a - b);
    assert.ok(median < 50 && Math.max(...latencies) < 500, `${name}: ${latencies}`);
    assertSolved(await solver.solve(board), board, GOAL_15, 55);
    assert.equal(starts.length, 1, `${name}: the tables are still there`);
  }
  assert.equal((await solver.hint(board)).distance, 55);
  assert.equal((await solver.allSolutions(board)).length, 55);
  assert.equal((await solver.verify()).length, 3);
  solver.close();
}

test("helpers of a search in runs of tiles are cancelled too", () =>
  watch(async (starts) => {
    const solver = await createSolver({ metric: "multi", partition: "lines", threads: 2 });
    for (const ms of [100, 400]) {
      const stop = new AbortController();
      const answer = solver.solve(HARD, { signal: stop.signal }).catch((error) => error);
      await sleep(ms);
      stop.abort();
      assert.equal((await answer).code, "cancelled");
      const start = performance.now();
      assert.equal((await solver.solve("1 2 3 4/5 6 7 8/9 10 11 12/0 13 14 15")).length, 1);
      assert.ok(performance.now() - start < 2000, "it answers soon");
    }
    assert.equal(starts.length, 1, "it is the same worker");
    solver.close();
  }));

/** Records the threads that are started, and how each thread ends. */
async function watch(work) {
  const threads = [];
  const { start } = WorkerThread;
  WorkerThread.start = async (...args) => {
    threads.push(await start.apply(WorkerThread, args));
    return threads.at(-1);
  };
  try {
    await work(threads);
  } finally {
    WorkerThread.start = start;
  }
}

test("a dead worker is replaced, with its helpers", () =>
  watch(async (threads) => {
    const solver = await createSolver({ partition: "6-6-3", threads: 2 });
    const call = solver.solve(HARD).catch((error) => error);
    await sleep(50);
    threads[0].terminate();
    assert.equal((await call).code, "error");
    assertSolved(await solver.solve(board), board, GOAL_15, 55);
    assert.equal(threads.length, 2);
    assert.equal(solver.threads, 2);
    solver.close();
    assert.ok(threads[1].isDead);
  }));

test("exhausted memory is an error, and the next call works", async () => {
  const { Memory } = WebAssembly;
  // The memory has room only for the tables of 5-5-5.
  WebAssembly.Memory = function (options) {
    return new Memory({ ...options, maximum: 320 });
  };
  try {
    await assert.rejects(createSolver({ partition: "7-8", threads: 2 }), { code: "memory" });
    const solver = await createSolver({ partition: "5-5-5", threads: 2 });
    assert.equal(solver.threads, 2);
    assert.equal((await solver.solve(board)).length, 55);
    solver.close();
  } finally {
    WebAssembly.Memory = Memory;
  }
});

test("without shared memory or helpers one thread does all work", async () => {
  const solvesAlone = async (options) => {
    const solver = await createSolver({ size: "3x3", threads: 2, ...options });
    const { length, threads } = await solver.solve("8 6 7/2 5 4/3 0 1");
    assert.deepEqual([length, threads, solver.threads], [31, 1, 1]);
    solver.close();
  };
  const { Memory } = WebAssembly;
  const maxima = [];
  WebAssembly.Memory = function ({ maximum }) {
    maxima.push(maximum);
    throw new RangeError("could not allocate memory");
  };
  await solvesAlone();
  assert.deepEqual(maxima, [65536, 16384]);
  WebAssembly.Memory = Memory;
  const { SharedArrayBuffer } = globalThis;
  delete globalThis.SharedArrayBuffer;
  await solvesAlone();
  globalThis.SharedArrayBuffer = SharedArrayBuffer;
  globalThis.crossOriginIsolated = false;
  await solvesAlone();
  delete globalThis.crossOriginIsolated;
  const { start } = WorkerThread;
  WorkerThread.start = async (setup) => {
    if (setup.kind === "worker-threads") throw new Error("no more workers");
    return start.call(WorkerThread, setup);
  };
  await solvesAlone();
  WorkerThread.start = start;
  await solvesAlone({ worker: false });
});

test("the module given decides", async () => {
  for (const [name, asked, threads] of [
    ["wasm", 2, 1],
    ["wasm-threads", 2, 2],
    ["wasm-threads", 1, 1],
    ["wasm", 1, 1],
  ]) {
    const bytes = readFileSync(file(name));
    for (const wasm of [file(name), new Uint8Array(bytes), new WebAssembly.Module(bytes)]) {
      const solver = await createSolver({ size: "3x3", threads: asked, wasm });
      assert.equal(solver.threads, threads, `${name}, ${asked}`);
      assert.equal((await solver.solve("8 6 7/2 5 4/3 0 1")).length, 31);
      solver.close();
    }
  }
  const laboratory = await createLaboratory({ wasm: file("wasm-laboratory") });
  assert.ok((await laboratory.heuristics("3x3")).length > 3);
  laboratory.close();
  await assert.rejects(createSolver({ wasm: file("wasm-rules") }), /not `wasm`/);
  await assert.rejects(createSolver({ wasm: file("wasm-laboratory") }), /not `wasm`/);
  for (const name of ["wasm", "wasm-threads", "wasm-rules"]) {
    await assert.rejects(createLaboratory({ wasm: file(name) }), /not `wasm-laboratory`/);
  }
  const script = `import { loadPuzzle } from ${JSON.stringify(new URL("../dist/index.js", import.meta.url).href)};
    for (const name of ["wasm", "wasm-threads"]) {
      const wasm = new URL("../" + name + "/sliding_tile_pdb_bg.wasm", ${JSON.stringify(import.meta.url)});
      console.log((await loadPuzzle({ wasm }).catch((error) => error)).name);
    }`;
  const args = ["--input-type=module", "--eval", script];
  assert.equal(execFileSync(process.execPath, args).toString(), "InputError\nInputError\n");
});

test("shared memory is allocated on demand", () => {
  assert.ok(sharedMemory().buffer instanceof SharedArrayBuffer);
});

test("a process ends: with its solver closed, open, in a call that is given up", () => {
  const api = new URL("../dist/index.js", import.meta.url).href;
  for (const end of ["solver.close();", "", "setTimeout(() => solver.close(), 50); await call;"]) {
    const script = `import { createSolver } from ${JSON.stringify(api)};
      const solver = await createSolver({ partition: "6-6-3", threads: 3 });
      console.log((await solver.solve("${board}")).length);
      const call = ${end.includes("call") ? `solver.solve("${HARD}").catch(() => {})` : "0"};
      ${end}`;
    const args = ["--input-type=module", "--eval", script];
    assert.equal(execFileSync(process.execPath, args, { timeout: 20000 }).toString(), "55\n", end);
  }
});
