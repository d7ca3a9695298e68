// Arguments as text, and errors of the module as classes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { LaboratoryCalls } from "../dist/laboratory-calls.js";
import { fromWire, toWire } from "../dist/error.js";
import * as api from "../dist/index.js";
import { boardText, describe, limitOf, movesText, optionsOf, requestOf } from "../dist/request.js";

test("boards and moves become texts; the module checks their values", () => {
  assert.equal(boardText("1 2 3"), "1 2 3");
  assert.equal(boardText([1, 2, "3", null]), '[1,2,"3",null]');
  assert.equal(movesText("U2"), "U2");
  assert.equal(movesText(["U", "left", 5]), "U left 5");
  for (const bad of [null, undefined, 5, {}, NaN, () => 1]) {
    assert.throws(() => boardText(bad), { name: "InputError", code: "error" });
    assert.throws(() => movesText(bad), { name: "InputError", code: "error" });
  }
});

test("limits are whole numbers, and infinity is no limit", () => {
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
  const error = (said) => fromWire(new LaboratoryCalls({ last_panic: () => said }).failure(trap));
  assert.deepEqual(
    [error("what").code, error("what").message],
    ["error", "a defect in the solver: what"],
  );
  assert.ok(error("") instanceof api.MemoryError);
});

test("misspelt options are rejected, with a suggestion", () => {
  const names = { maxTime: true, maxNodes: true, onProgress: true };
  const given = { maxTime: 5, onProgress: undefined };
  assert.equal(optionsOf(given, names), given);
  for (const [options, message] of [
    [{ maxtime: 5 }, "unknown option `maxtime`; did you mean `maxTime`?"],
    [{ max_nodes: 5 }, "unknown option `max_nodes`; did you mean `maxNodes`?"],
    [{ onProgres: undefined }, "unknown option `onProgres`; did you mean `onProgress`?"],
    [{ maxTmie: 5 }, "unknown option `maxTmie`; did you mean `maxTime`?"],
    [{ colour: 1 }, "unknown option `colour`; expected maxTime, maxNodes, onProgress"],
    [["maxTime"], 'options must be an object, not ["maxTime"]'],
    ["maxTime", 'options must be an object, not "maxTime"'],
    [null, "options must be an object, not null"],
  ]) {
    assert.throws(() => optionsOf(options, names), { name: "InputError", message });
  }
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
