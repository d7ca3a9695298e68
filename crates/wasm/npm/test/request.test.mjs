// Arguments as texts, and errors of the module as classes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ModuleCalls } from "../dist/module-calls.js";
import { fromWire, toWire } from "../dist/error.js";
import * as api from "../dist/index.js";
import { boardText, columnsOf, describe, limitOf, requestOf } from "../dist/request.js";

test("boards become texts, in rows where the columns are known", () => {
  assert.equal(boardText("1 2 3"), "1 2 3");
  assert.equal(boardText([1, 2, 3, 0]), "1 2 3 0");
  assert.equal(boardText([1, 2, 3, 4, 5, 0], columnsOf("3x2")), "1 2 3/4 5 0");
  assert.equal(
    boardText([
      [1, 2],
      [3, 0],
    ]),
    "[[1,2],[3,0]]",
  );
  for (const bad of [null, undefined, 5, {}, [1.5], [-1], ["1"], [NaN], () => 1]) {
    assert.throws(() => boardText(bad), { name: "InputError", code: "error" });
  }
});

test("limits are whole numbers, and endless is none", () => {
  assert.equal(limitOf(undefined, "x"), undefined);
  assert.equal(limitOf(Infinity, "x"), undefined);
  assert.equal(limitOf(0.5, "x"), 1);
  assert.equal(limitOf(1e300, "x"), Number.MAX_SAFE_INTEGER);
  for (const bad of [-1, NaN, "5", null]) assert.throws(() => limitOf(bad, "x"), /x must be/);
});

test("requests have no undefined fields; values in messages are short", () => {
  assert.equal(JSON.stringify(requestOf({ a: undefined, b: 0 })), '{"b":0}');
  assert.equal(describe("x".repeat(1000)).length, 60);
  assert.equal(describe(10n), "bigint");
  const round = {};
  round.round = round;
  assert.equal(describe(round), "object");
});

test("what the module throws has a class for each code", () => {
  const thrown = (fields) => fromWire(structuredClone(toWire(JSON.stringify(fields))));
  for (const [code, name] of [
    ["error", "InputError"],
    ["unsolvable", "UnsolvableError"],
    ["limit", "LimitError"],
    ["cancelled", "CancelledError"],
    ["table", "TableError"],
    ["memory", "MemoryError"],
  ]) {
    const error = thrown({ code, message: "what", status: code, swap: [1, 2] });
    assert.ok(error instanceof api[name] && error instanceof api.PuzzleError, name);
    assert.deepEqual([error.code, error.name, error.message], [code, name, "what"]);
    if (code === "unsolvable") assert.deepEqual(error.report.swap, [1, 2]);
    if (code === "limit") assert.equal(error.report.status, "limit");
  }
  assert.equal(thrown({ code: "cancelled", message: "x", status: "limit" }).report, undefined);
  const best = { status: "solved", moves: "U", length: 1 };
  assert.equal(thrown({ code: "cancelled", ...best }).report.length, 1);
  const trap = toWire(new WebAssembly.RuntimeError("unreachable"));
  assert.equal(trap.isFatal, true);
  assert.ok(!(fromWire(trap) instanceof api.InputError));
  assert.equal(toWire("no JSON").message, "no JSON");
});

test("a trap says why it came, or is the end of memory", () => {
  const trap = new WebAssembly.RuntimeError("unreachable");
  const error = (said) => fromWire(new ModuleCalls({ last_panic: () => said }).failure(trap));
  assert.deepEqual(
    [error("what").code, error("what").message],
    ["error", "a defect in the solver: what"],
  );
  assert.ok(error("") instanceof api.MemoryError);
});
