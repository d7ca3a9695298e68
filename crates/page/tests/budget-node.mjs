// Measures the package in Node on one thread. The first argument names the only task of the
// process: build, boards, unpack, bundle or cancel. Prints one line of JSON. tests/budget.mjs calls
// it.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createSolver } from "sliding-tile-pdb";
import { hard, ordered, random, replay, write } from "./puzzle.mjs";

const goal = write(ordered(16), 4);

/**
 * Solves random boards, and checks every solution by replaying it. `times` are the milliseconds per
 * board, measured outside the package.
 */
async function solveAll(solver, number) {
  const times = [];
  let nodes = 0;
  let length = 0;
  for (let seed = 1; seed <= number; seed++) {
    const tiles = random(4, 4, seed);
    const began = performance.now();
    const report = await solver.solve(write(tiles, 4));
    times.push(performance.now() - began);
    if (write(replay(tiles, 4, report.moves), 4) !== goal || !report.proved) {
      throw new Error(`board ${seed}: ${JSON.stringify(report)}`);
    }
    nodes += report.nodes ?? 0;
    length += report.length;
  }
  return { times, nodes, length };
}

/** Files of a bundle, except its manifest. */
const packed = (folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".pdbz"))
    .map((name) => new Uint8Array(readFileSync(join(folder, name))));

const [what, ...rest] = process.argv.slice(2);
const begin = performance.now();
/**
 * `building` is measured from the first progress event, so it excludes the start of the worker and
 * the compilation.
 */
const make = async (options) => {
  let first = 0;
  const onProgress = () => (first ||= performance.now());
  const solver = await createSolver({ size: "4x4", ...options, onProgress });
  const end = performance.now();
  return { solver, whole: end - begin, building: end - first };
};

const tasks = {
  /** The first build of a process. */
  async build(sides) {
    const bothSides = sides === "both";
    const { solver, whole, building } = await make({ partition: "6-6-3", bothSides });
    const memory = await solver.memory();
    solver.close();
    return { building, whole, memory };
  },
  async boards(number) {
    const { solver } = await make({ partition: "6-6-3" });
    const found = await solveAll(solver, Number(number));
    const memory = await solver.memory();
    solver.close();
    return { ...found, memory };
  },
  async unpack(folder) {
    const tables = packed(folder);
    const { solver, whole, building } = await make({ partition: "6-6-3", tables });
    const memory = await solver.memory();
    solver.close();
    return { building, whole, memory, bytes: tables.reduce((sum, { length }) => sum + length, 0) };
  },
  async bundle(folder, number) {
    const tables = packed(folder);
    const bytes = tables.reduce((sum, { length }) => sum + length, 0);
    const { solver, whole, building } = await make({ partition: "7-8", tables });
    const found = await solveAll(solver, Number(number));
    const memory = await solver.memory();
    solver.close();
    return { ...found, building, whole, memory, bytes };
  },
  /** Milliseconds from abort to rejection, at different times of the search. */
  async cancel() {
    const { solver } = await make({ partition: "6-6-3" });
    const times = [];
    for (let i = 0; i < 20; i++) {
      const abort = new AbortController();
      let began = 0;
      setTimeout(
        () => {
          began = performance.now();
          abort.abort();
        },
        100 + 17 * i,
      );
      await solver.solve(hard, { signal: abort.signal }).catch(() => {});
      times.push(performance.now() - began);
    }
    solver.close();
    return { times };
  },
};

if (what) console.log(JSON.stringify(await tasks[what](...rest)));
