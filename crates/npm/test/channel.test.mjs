// Tests of the queue of calls to a thread that can end at any time. The threads are fakes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Channel } from "../dist/channel.js";
import { CancelledError, MemoryError, PuzzleError, TableError } from "../dist/index.js";
import { sleep } from "./support.mjs";

/** A thread without a worker. The test ends its calls: `thread.calls[i].resolve(value)`. */
class FakeThread {
  isDead = false;
  calls = [];
  cancels = 0;
  constructor(way = "flag") {
    this.way = way;
  }
  call(name, args, tools) {
    return new Promise((resolve, reject) =>
      this.calls.push({ name, args, tools, resolve, reject }),
    );
  }
  cancel() {
    this.cancels++;
  }
  terminate() {
    this.isDead = true;
    this.calls.at(-1)?.reject(new PuzzleError("the worker was ended"));
  }
}

function channelOf(way) {
  const threads = [new FakeThread(way)];
  const workshop = {
    prepared: [],
    open: async () => {
      threads.push(new FakeThread(way));
      return threads.at(-1);
    },
    prepare: async (thread) => {
      workshop.prepared.push(thread);
    },
  };
  return { channel: new Channel(workshop, threads[0]), threads, workshop };
}

const settled = async (promise) =>
  Promise.race([promise.then(() => true).catch(() => true), sleep(5).then(() => false)]);

test("calls run one at a time, in order", async () => {
  const { channel, threads } = channelOf();
  const first = channel.call("probe", ["a"]);
  const second = channel.call("probe", ["b"]);
  await sleep(1);
  assert.deepEqual(
    threads[0].calls.map(({ args }) => args[0]),
    ["a"],
  );
  threads[0].calls[0].resolve(1);
  assert.equal(await first, 1);
  await sleep(1);
  assert.deepEqual(
    threads[0].calls.map(({ args }) => args[0]),
    ["a", "b"],
  );
  threads[0].calls[1].resolve(2);
  assert.equal(await second, 2);
});

test("a failed call is followed by the next", async () => {
  const { channel, threads } = channelOf();
  const first = channel.call("probe", ["a"]);
  const second = channel.call("probe", ["b"]);
  await sleep(1);
  threads[0].calls[0].reject(new TableError("bad"));
  await assert.rejects(first, { code: "table" });
  await sleep(1);
  threads[0].calls[1].resolve(2);
  assert.equal(await second, 2);
});

test("an aborted signal rejects without a call", async () => {
  const { channel, threads } = channelOf();
  const reason = new Error("enough");
  await assert.rejects(channel.call("probe", ["a"], { signal: AbortSignal.abort(reason) }), {
    code: "cancelled",
    cause: reason,
  });
  assert.equal(threads[0].calls.length, 0);
});

test("an aborted waiting call leaves the queue immediately", async () => {
  const { channel, threads } = channelOf();
  const first = channel.call("probe", ["a"]);
  const stop = new AbortController();
  const second = channel.call("probe", ["b"], { signal: stop.signal });
  const third = channel.call("probe", ["c"]);
  stop.abort();
  await assert.rejects(second, CancelledError);
  assert.equal(threads[0].cancels, 0);
  await sleep(1);
  threads[0].calls[0].resolve(1);
  await first;
  await sleep(1);
  assert.deepEqual(
    threads[0].calls.map(({ args }) => args[0]),
    ["a", "c"],
  );
  threads[0].calls[1].resolve(3);
  assert.equal(await third, 3);
});

test("an aborted running call is cancelled, and rejects with the thread's answer", async () => {
  const { channel, threads } = channelOf();
  const stop = new AbortController();
  const call = channel.call("probe", ["a"], { signal: stop.signal });
  await sleep(1);
  stop.abort("why");
  assert.equal(threads[0].cancels, 1);
  threads[0].calls[0].reject(new CancelledError());
  await assert.rejects(call, { code: "cancelled" });
  assert.equal(threads[0].isDead, false);
});

test("an answer after the abort is discarded", async () => {
  const { channel, threads } = channelOf();
  const stop = new AbortController();
  const call = channel.call("solve", ["a", {}], { signal: stop.signal });
  await sleep(1);
  stop.abort();
  threads[0].calls[0].resolve({ status: "solved", length: 70 });
  await assert.rejects(call, { code: "cancelled" });
});

test("a cancelled call rejects with the signal's reason and the best solution", async () => {
  const { channel, threads } = channelOf();
  const stop = new AbortController();
  const call = channel.call("solve", ["a", {}], { signal: stop.signal });
  await sleep(1);
  stop.abort("why");
  threads[0].calls[0].reject(new CancelledError("cancelled", { report: { length: 70 } }));
  await assert.rejects(call, { code: "cancelled", cause: "why", report: { length: 70 } });
});

test("a call is rejected within 50 ms, while its thread is given time to end it", async () => {
  const { channel, threads } = channelOf("address");
  const stop = new AbortController();
  const call = channel.call("probe", ["a"], { signal: stop.signal });
  const next = channel.call("probe", ["b"]);
  await sleep(1);
  const start = performance.now();
  stop.abort();
  await assert.rejects(call, CancelledError);
  assert.ok(performance.now() - start < 60);
  await sleep(250);
  assert.equal(threads[0].isDead, false);
  assert.equal(threads[0].calls.length, 1, "the next call waits");
  threads[0].calls[0].resolve(1);
  await sleep(1);
  threads[0].calls[1].resolve(2);
  assert.equal(await next, 2);
});

test("a thread that cannot be notified is replaced after 200 ms", async () => {
  const { channel, threads, workshop } = channelOf("none");
  const stop = new AbortController();
  const call = channel.call("probe", ["a"], { signal: stop.signal });
  const next = channel.call("probe", ["b"]);
  await sleep(1);
  stop.abort();
  await assert.rejects(call, CancelledError);
  await sleep(120);
  assert.equal(threads[0].isDead, false, "it may still answer");
  await sleep(120);
  assert.equal(threads[0].isDead, true);
  assert.equal(threads.length, 2);
  assert.deepEqual(workshop.prepared, [threads[1]]);
  threads[1].calls[0].resolve(2);
  assert.equal(await next, 2);
});

test("a thread that cannot be notified stays if it answers in time", async () => {
  const { channel, threads } = channelOf("none");
  const stop = new AbortController();
  const call = channel.call("probe", ["a"], { signal: stop.signal });
  await sleep(1);
  stop.abort();
  threads[0].calls[0].resolve(1);
  await assert.rejects(call, CancelledError);
  await sleep(250);
  assert.equal(threads[0].isDead, false);
});

test("a dead thread is replaced by the next call", async () => {
  const { channel, threads } = channelOf();
  const call = channel.call("probe", ["a"]);
  await sleep(1);
  threads[0].isDead = true;
  threads[0].calls[0].reject(new MemoryError("out of memory"));
  await assert.rejects(call, MemoryError);
  assert.equal(threads.length, 1, "not before it is needed");
  const next = channel.call("probe", ["b"]);
  await sleep(1);
  threads[1].calls[0].resolve(2);
  assert.equal(await next, 2);
});

test("a thread that cannot be prepared rejects only its call", async () => {
  const { channel, threads, workshop } = channelOf();
  threads[0].isDead = true;
  const { prepare } = workshop;
  workshop.prepare = async () => {
    throw new TableError("gone");
  };
  await assert.rejects(channel.call("probe", ["a"]), { code: "table" });
  assert.equal(threads[1].isDead, true);
  workshop.prepare = prepare;
  const next = channel.call("probe", ["b"]);
  await sleep(1);
  threads[2].calls[0].resolve(2);
  assert.equal(await next, 2);
});

test("a call aborted while its thread is created rejects immediately", async () => {
  const { channel, threads, workshop } = channelOf();
  threads[0].isDead = true;
  let prepared;
  workshop.prepare = () => new Promise((resolve) => (prepared = resolve));
  const stop = new AbortController();
  const call = channel.call("probe", ["a"], { signal: stop.signal });
  await sleep(1);
  stop.abort();
  await assert.rejects(call, CancelledError);
  prepared();
  const next = channel.call("probe", ["b"]);
  await sleep(1);
  assert.deepEqual(
    threads[1].calls.map(({ args }) => args[0]),
    ["b"],
  );
  threads[1].calls[0].resolve(2);
  assert.equal(await next, 2);
});

test("close rejects running, waiting and later calls", async () => {
  const { channel, threads } = channelOf();
  const calls = [channel.call("probe", ["a"]), channel.call("probe", ["b"])];
  await sleep(1);
  channel.close();
  for (const call of calls) await assert.rejects(call, { code: "cancelled" });
  await assert.rejects(channel.call("probe", ["c"]), { code: "cancelled" });
  assert.equal(threads[0].isDead, true);
  await sleep(1);
  assert.equal(threads.length, 1);
});

test("events stop with the abort, and listeners leave the signal", async () => {
  const { channel, threads } = channelOf();
  const stop = new AbortController();
  const events = [];
  const call = channel.call("probe", ["a"], {
    signal: stop.signal,
    onEvent: (event) => events.push(event),
  });
  await sleep(1);
  const { tools, reject } = threads[0].calls[0];
  tools.onEvent(1);
  stop.abort();
  tools.onEvent(2);
  reject(new CancelledError());
  await assert.rejects(call);
  assert.deepEqual(events, [1]);
  assert.ok(await settled(call));
});
