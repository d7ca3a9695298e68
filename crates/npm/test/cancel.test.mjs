// Cancelling with the real module, in workers of Node, and its detection in a busy thread.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { CancelledError, createLaboratory, createSolver } from "../dist/index.js";
import { AddressPoll, FlagPoll } from "../dist/service.js";
import { GOAL_15, HARD, assertSolved, sleep } from "./support.mjs";

const board = "5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13";

/** Cancels a call after `ms` milliseconds; returns the milliseconds until it rejects. */
async function cancelAfter(ms, call) {
  const stop = new AbortController();
  let start;
  setTimeout(() => {
    start = performance.now();
    stop.abort();
  }, ms);
  await assert.rejects(call(stop.signal), CancelledError);
  return performance.now() - start;
}

test("all kinds of calls can be cancelled, and the solver still works", async (t) => {
  const solver = await createSolver({ size: "4x4", partition: "6-6-3" });
  const memory = await solver.memory();
  for (const [name, call] of Object.entries({
    solve: (signal) => solver.solve(HARD, { signal }),
    hint: (signal) => solver.hint(HARD, { signal }),
    rate: (signal) => solver.rate(HARD, "L", { signal }),
    allSolutions: (signal) => solver.allSolutions(HARD, { signal }),
  })) {
    const latencies = [];
    for (const ms of [0, 5, 50, 120, 200]) latencies.push(await cancelAfter(ms, call));
    t.diagnostic(`${name}: ${latencies.map((ms) => ms.toFixed(1)).join(", ")} ms`);
    // Most cancelled calls must be ended by the worker itself. After 35 ms the channel would reject
    // the call without the worker.
    const [, , median] = latencies.toSorted((a, b) => a - b);
    assert.ok(median < 25 && Math.max(...latencies) < 60, `${name}: ${latencies}`);
    const start = performance.now();
    assertSolved(await solver.solve(board), board, GOAL_15, 55);
    // Rebuilding the tables would take longer.
    assert.ok(performance.now() - start < 250, `${name}: the tables are still there`);
  }
  assert.equal((await solver.table(solver.tables[0].file)).length, solver.tables[0].bytes);
  assert.ok((await solver.memory()) < memory + 2 ** 26);
  solver.close();
});

test("a call aborted immediately does not continue", async () => {
  const solver = await createSolver({ size: "4x4", partition: "6-6-3" });
  for (let round = 0; round < 3; round++) {
    const stop = new AbortController();
    const solved = solver.solve(HARD, { signal: stop.signal });
    if (round > 0) await Promise.resolve();
    stop.abort();
    await assert.rejects(solved, { code: "cancelled" });
    const start = performance.now();
    assert.equal((await solver.solve("1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15")).length, 1);
    assert.ok(performance.now() - start < 1000, "the queue goes on, the tables are there");
  }
  solver.close();
});

test("a cancelled anytime search returns its best solution", async () => {
  const solver = await createSolver({ size: "4x4", partition: "6-6-3" });
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 300);
  await assert.rejects(solver.solve(HARD, { mode: "anytime", signal: stop.signal }), (error) => {
    assert.equal(error.code, "cancelled");
    assertSolved(error.report, HARD, GOAL_15);
    return true;
  });
  solver.close();
});

test("verifying is cancelled", async () => {
  const solver = await createSolver({ size: "4x4", partition: "6-6-3" });
  assert.ok((await cancelAfter(30, (signal) => solver.verify({ signal }))) < 60);
  assert.equal(solver.tables[0].verified, "built");
  assertSolved(await solver.solve(board), board, GOAL_15, 55);
  solver.close();
});

test("a comparison is cancelled", async () => {
  const laboratory = await createLaboratory();
  const options = { sizes: ["4x4"], number: 50, heuristics: ["manhattan"], searches: ["ida-star"] };
  const latency = await cancelAfter(100, (signal) => laboratory.compare({ ...options, signal }));
  assert.ok(latency < 60, `${latency}`);
  assert.ok((await laboratory.heuristics("3x3")).length > 3);
  laboratory.close();
});

test("creating a solver can be cancelled", async () => {
  for (const ms of [0, 30, 100]) {
    const latency = await cancelAfter(ms, (signal) =>
      createSolver({ size: "4x4", partition: "6-6-3", signal }),
    );
    assert.ok(latency < 60, `${latency}`);
  }
  const signal = AbortSignal.abort();
  await assert.rejects(createSolver({ signal }), CancelledError);
});

test("cancelled waiting calls reject immediately; the others run in order", async () => {
  const solver = await createSolver({ size: "4x4", partition: "6-6-3" });
  const [first, second] = [new AbortController(), new AbortController()];
  const order = [];
  const calls = [
    solver.solve(HARD, { signal: first.signal }).catch(() => order.push("first")),
    solver.solve(HARD, { signal: second.signal }).catch(() => order.push("second")),
    solver.solve(board).then(() => order.push("third")),
    solver.solve(GOAL_15).then(() => order.push("fourth")),
  ];
  await sleep(50);
  second.abort();
  await sleep(10);
  assert.deepEqual(order, ["second"]);
  first.abort();
  await Promise.all(calls);
  assert.deepEqual(order, ["second", "first", "third", "fourth"]);
  solver.close();
});

test("a process need not close its solvers", () => {
  const api = new URL("../dist/index.js", import.meta.url).href;
  const script = `import { createSolver } from ${JSON.stringify(api)};
    const solver = await createSolver({ size: "3x3" });
    console.log((await solver.solve("8 6 7/2 5 4/3 0 1")).length);`;
  const args = ["--input-type=module", "--eval", script];
  assert.equal(execFileSync(process.execPath, args, { timeout: 20000 }).toString(), "31\n");
});

test("the flag is the number of the call, so an old one means nothing", () => {
  const flag = new Int32Array(new SharedArrayBuffer(8));
  const poll = new FlagPoll(flag);
  const helped = new FlagPoll(flag);
  const answers = () => [poll, helped].map((one) => one.isCancelled());
  assert.deepEqual(answers(), [false, false]);
  poll.begin(1);
  assert.deepEqual(answers(), [false, false]);
  Atomics.store(flag, 0, 1);
  assert.deepEqual(answers(), [true, true]);
  poll.begin(2);
  assert.deepEqual(answers(), [false, false]);
});

test("an address is read at most every 15 ms, and cancels once it is unreadable", async () => {
  const readings = [];
  let isThere = true;
  const poll = new AddressPoll("live", (address) => {
    readings.push(address);
    return address === "live" || isThere;
  });
  poll.begin(1, "call");
  for (let i = 0; i < 1000; i++) assert.equal(poll.isCancelled(), false);
  assert.deepEqual(readings, []);
  await sleep(20);
  assert.equal(poll.isCancelled(), false);
  assert.equal(poll.isCancelled(), false);
  assert.deepEqual(readings, ["call"]);
  isThere = false;
  await sleep(20);
  assert.equal(poll.isCancelled(), true);
  assert.equal(poll.isCancelled(), true, "and stays so");
  assert.deepEqual(readings, ["call", "call", "live"]);
  poll.begin(2, "live");
  assert.equal(poll.isCancelled(), false);
});

test("a general failure to read is not a cancellation", async () => {
  let count = 0;
  const poll = new AddressPoll("live", () => {
    count++;
    return false;
  });
  poll.begin(1, "call");
  await sleep(20);
  assert.equal(poll.isCancelled(), false);
  await sleep(20);
  assert.equal(poll.isCancelled(), false);
  assert.equal(count, 2, "not asked again in this call");
});

test("a call without an address cannot be cancelled", async () => {
  const poll = new AddressPoll("live", () => false);
  poll.begin(1);
  await sleep(20);
  assert.equal(poll.isCancelled(), false);
});
