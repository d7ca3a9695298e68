// The questions of data/answers, which have the same answers in every frontend.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { PuzzleError, createLaboratory, createSolver, loadPuzzle } from "../dist/index.js";
import { opener } from "../dist/thread.js";
import { repository } from "./support.mjs";

const puzzle = await loadPuzzle();
const laboratory = await createLaboratory({ worker: false });
/** For questions without a function of their own. */
const module = await opener("solver", { worker: false })();

/** The functions of questions, their arguments, and whether options follow. */
const FUNCTIONS = {
  parse: [puzzle, "parse", ["board", "size"]],
  list: [puzzle, "parseList", ["text", "size"]],
  goal: [puzzle, "goal", ["goal", "size"]],
  solvability: [puzzle, "solvability", ["board", "goal"]],
  apply: [puzzle, "apply", ["board", "moves"], true],
  convert: [puzzle, "convert", ["board", "moves", "to", "from"]],
  invert: [puzzle, "invert", ["moves", "notation"]],
  draw: [puzzle, "draw", ["board"], true],
  scramble: [puzzle, "scramble", [], true],
  partitions: [puzzle, "partitions", ["size", "metric"]],
  heuristics: [laboratory, "heuristics", ["size"]],
  explain: [laboratory, "explain", ["board"], true],
  compare: [laboratory, "compare", [], true],
  plots: [laboratory, "plots", ["records"], true],
};

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

/** The names and units of JavaScript. */
function spelled(request) {
  const fields = Object.entries(request).map(([name, value]) => [
    name.replace(/_./g, ([, letter]) => letter.toUpperCase()),
    name.endsWith("_time") && typeof value === "number" ? 1000 * value : value,
  ]);
  return Object.fromEntries(fields);
}

/** Asks a question by the function for it; without one, as a request to the module. */
async function ask(verb, request) {
  if (/^(solve|hint|rate|probe)$/.test(verb)) return askSolver(verb, request);
  const [object, name, places, hasOptions] = FUNCTIONS[verb] ?? [];
  const others = Object.entries(request).filter(([name]) => !places?.includes(name));
  if (!object || (others.length && !hasOptions)) {
    return module.call("ask", [JSON.stringify({ ask: verb, ...request })]);
  }
  const options = hasOptions ? [Object.fromEntries(others)] : [];
  const answer = await object[name](...places.map((name) => request[name]), ...options);
  return verb === "scramble" ? { boards: answer.map(({ board }) => board) } : answer;
}

async function askSolver(verb, request) {
  const { board, moves, size, goal, metric, kind, partition, parts, ...options } = request;
  // Without a size the solver would be for 4x4.
  const read = puzzle.parse(board, size);
  const own = { size: read.size, goal: goal ?? read.goal, metric, kind, partition, parts };
  const solver = await solverOf(own);
  const { all, ...others } = options;
  if (verb === "solve" && all && options.mode === undefined) {
    return solver.allSolutions(board, others);
  }
  if (verb === "rate") return solver.rate(board, moves, options);
  return solver[verb](board, options);
}

/** The answer, which can be the report of a board without a solution, or the error code. */
async function found(verb, request) {
  try {
    return { answer: await ask(verb, spelled(request)) };
  } catch (error) {
    if (!(error instanceof PuzzleError)) throw error;
    return error.report?.board ? { answer: error.report } : { error: error.code };
  }
}

/** Removes values that depend on the machine. */
function strip(value) {
  if (Array.isArray(value)) return value.map(strip);
  if (value === null || typeof value !== "object") return value;
  const fields = Object.entries(value).filter(
    ([name]) => !/^(ms|threads|file|peak_bytes)$/.test(name),
  );
  return Object.fromEntries(fields.map(([name, field]) => [name, strip(field)]));
}

const lines = readFileSync(join(repository, "data/answers/questions.jsonl"), "utf8").trim();
const questions = lines.split("\n").map((line) => JSON.parse(line));
const asked = questions.filter(({ not }) => not?.npm === undefined);

test("nearly all questions have answers", () => assert.ok(asked.length > 200, `${asked.length}`));

for (const { name, ask: verb, request, answer, error } of asked) {
  test(`${verb}: ${name}`, async () => {
    const expected = error === undefined ? { answer } : { error };
    assert.deepEqual(strip(await found(verb, request)), strip(expected));
  });
}
