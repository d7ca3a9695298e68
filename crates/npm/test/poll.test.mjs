// Detection of a cancellation in a busy thread.
import assert from "node:assert/strict";
import { test } from "node:test";
import { AddressPoll, FlagPoll } from "../dist/poll.js";
import { sleep } from "./support.mjs";

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
