// Requests as text, and errors of the module as classes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fromWire, toWire } from "../dist/error.js";
import { failureOf } from "../dist/glue.js";
import * as api from "../dist/index.js";
import { describe, movesText, optionsOf, requestOf } from "../dist/request.js";

test("moves become a text", () => {
  assert.equal(movesText("U2"), "U2");
  assert.equal(movesText(["U", "left", 5]), "U left 5");
});

test("values that JSON does not have are rejected by the module; no limit is left out", () => {
  const own = { ask: "solve", board: [1, null], goal: undefined };
  const text = requestOf(own, { maxTime: Infinity, maxNodes: NaN, seed: 5n, onProgres: () => 1 });
  assert.deepEqual(JSON.parse(text), {
    ...{ ask: "solve", board: [1, null] },
    ...{ maxNodes: "NaN", seed: "5", onProgres: "() => 1" },
  });
  assert.equal(JSON.parse(requestOf({ within: Infinity })).within, "Infinity");
  for (const bad of [{ board: 1 }, { goal: "snail" }, { ask: "hint" }]) {
    assert.throws(() => requestOf(own, bad), { name: "InputError", message: /^unknown option/ });
  }
  const round = {};
  round.round = round;
  assert.throws(() => requestOf({}, { round }), { name: "InputError" });
});

test("options are an object; values in messages are short", () => {
  for (const options of [["maxTime"], "maxTime", null, 5]) {
    assert.throws(() => optionsOf(options), { name: "InputError", message: /must be an object/ });
  }
  assert.equal(describe("x".repeat(1000)).length, 60);
  assert.equal(describe(10n), "bigint");
});

test("each error code of the module has a class", () => {
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

test("a trap has its panic message, or means exhausted memory", () => {
  const trap = new WebAssembly.RuntimeError("unreachable");
  const error = (said) => fromWire(failureOf({ last_panic: () => said }, trap));
  assert.deepEqual(
    [error("what").code, error("what").message],
    ["error", "a defect in the solver: what"],
  );
  assert.ok(error("") instanceof api.MemoryError);
});

test("every call rejects unknown options", async () => {
  const puzzle = await api.loadPuzzle();
  const solver = await api.createSolver({ size: "3x3", worker: false });
  const laboratory = await api.createLaboratory({ worker: false });
  const board = "8 6 7/2 5 4/3 0 1";
  const bad = { wrong: 1 };
  for (const call of [
    () => api.loadPuzzle(bad),
    () => api.createSolver(bad),
    () => api.createLaboratory(bad),
    async () => puzzle.scramble(bad),
    async () => puzzle.apply(board, "D", bad),
    async () => puzzle.boardsAlong(board, "D", bad),
    async () => puzzle.draw(board, bad),
    () => solver.solve(board, bad),
    () => solver.allSolutions(board, bad),
    () => solver.hint(board, bad),
    () => solver.rate(board, "D", bad),
    () => solver.verify(bad),
    () => solver.openOtherGoals(bad),
    () => solver.solveList([board], bad).next(),
    () => laboratory.explain(board, bad),
    () => laboratory.compare({ heuristics: ["zero"], searches: ["astar"], ...bad }),
  ]) {
    await assert.rejects(call(), { name: "InputError", message: /^unknown option `wrong`/ }, call);
  }
  solver.close();
  laboratory.close();
});
