// The questions of data/answers, which have the same answers in every frontend.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import {
  InputError,
  LimitError,
  UnsolvableError,
  createSolver,
  loadPuzzle,
} from "../dist/index.js";
import { repository } from "./support.mjs";

const puzzle = await loadPuzzle();

/** Solvers by their options: most questions share a few solvers. */
const solvers = new Map();
after(() => {
  for (const solver of solvers.values()) solver.close();
});

async function solverOf(options) {
  const name = JSON.stringify(options);
  if (!solvers.has(name)) solvers.set(name, await createSolver(options));
  return solvers.get(name);
}

/** Asks a question. Fails on fields that no call accepts. */
async function ask(verb, { board, ...request }) {
  if (verb === "scramble") return { boards: puzzle.scramble(request).map(({ board }) => board) };

  const { size, goal, metric, partition, moves, max_nodes, side, ...how } = request;
  const { all, mode = "optimal", count, within, most, notation, short, explain, ...rest } = how;
  // Ignores `max_memory`: the anytime questions need less memory than the module's default limit.
  if (mode === "anytime") delete rest.max_memory;
  assert.deepEqual(rest, {}, "the package has no such option");
  const isAll = mode === "optimal" && [all, count, within, most].some((it) => it !== undefined);
  assert.ok(isAll || (all ?? count ?? most) === undefined, "allSolutions has no modes");

  // Without a size the solver would be for 4x4. Strategic answers need no tables.
  const from = { size: puzzle.parse(board, size).size, goal, metric, partition };
  const solver = await solverOf(mode === "strategic" ? { ...from, tables: "none" } : from);
  const limits = { maxNodes: max_nodes, threads: 1, side };
  if (verb === "hint") return solver.hint(board, limits);
  if (verb === "rate") return solver.rate(board, moves, limits);
  if (verb === "probe") return solver.probe(board);
  assert.equal(verb, "solve");
  return isAll
    ? solver.allSolutions(board, { count, within, most, notation, ...limits })
    : solver.solve(board, { mode, within, notation, short, explain, ...limits });
}

/** The answer, which can be the report of an unsolvable board, or the error code. */
async function found(verb, request) {
  try {
    return { answer: await ask(verb, request) };
  } catch (error) {
    if (error instanceof UnsolvableError || error instanceof LimitError) {
      return { answer: error.report };
    }
    if (error instanceof InputError) return { error: error.code };
    throw error;
  }
}

/** Removes values that depend on the machine. */
function strip(value) {
  if (Array.isArray(value)) return value.map(strip);
  if (value === null || typeof value !== "object") return value;
  const fields = Object.entries(value).filter(([name]) => !/^(ms|threads|file)$/.test(name));
  return Object.fromEntries(fields.map(([name, field]) => [name, strip(field)]));
}

const lines = readFileSync(join(repository, "data/answers/questions.jsonl"), "utf8").trim();
const questions = lines.split("\n").map((line) => JSON.parse(line));
const asked = questions.filter(({ not }) => not?.npm === undefined);

test("nearly all questions have answers", () => assert.ok(asked.length > 100, `${asked.length}`));

for (const { name, ask: verb, request, answer, error } of asked) {
  test(`${verb}: ${name}`, async () => {
    const expected = error === undefined ? { answer } : { error };
    assert.deepEqual(strip(await found(verb, request)), expected);
  });
}
