import type { CompareOptions, Laboratory } from "sliding-tile-pdb";
import { expect, test } from "vitest";
import { foundOf } from "./trial.ts";
import { type Ground, Trials } from "./trials.svelte.ts";

const ground = { board: "1 2 3/4 0 6/7 5 8", goal: "1 2 3/4 5 6/7 8 0" } as Ground;

/** A laboratory whose searches generate these nodes by heuristic, unless a limit ends them. */
function laboratoryOf(nodes: Record<string, number>) {
  const asked: CompareOptions[] = [];
  const compare = (options: CompareOptions) => {
    asked.push(options);
    const [heuristic] = options.heuristics ?? [];
    const isCut = nodes[heuristic] > (options.maxNodes ?? Infinity);
    const generated = Math.min(nodes[heuristic], options.maxNodes ?? Infinity);
    const found = isCut ? { limit: "nodes" } : { length: 2, moves: "UL" };
    return Promise.resolve([{ heuristic, h0: 2, generated, expanded: 1, ms: 1, ...found }]);
  };
  return { asked, laboratory: { compare } as unknown as Laboratory };
}

test("a search ends at 100 times the nodes of the best, but not before 100,000", async () => {
  const trials = new Trials();
  const { asked, laboratory } = laboratoryOf({ "6-6-3": 2000, manhattan: 150_000, zero: 1e9 });
  await trials.run(laboratory, ground, ["6-6-3", "manhattan", "zero"]);
  expect(asked.map(({ maxNodes }) => maxNodes)).toEqual([1e9, 200_000, 200_000]);
  expect(trials.results.get("manhattan")?.trial).toMatchObject({ length: 2, nodes: 150_000 });
  expect(trials.results.get("zero")?.trial).toMatchObject({ limit: "nodes", nodes: 200_000 });
  expect(trials.running).toBeNull();
});

test("cancelling keeps the results so far", async () => {
  const trials = new Trials();
  const { laboratory } = laboratoryOf({ a: 1 });
  const stop = { compare: () => (trials.cancel(), Promise.resolve([])) } as unknown as Laboratory;
  await trials.run(laboratory, ground, ["a"]);
  const results = trials.results;
  await trials.run(stop, ground, ["b", "c"]).catch(() => undefined);
  expect(results.has("a")).toBe(true);
  expect([trials.running, trials.results.size]).toEqual([null, 0]);
});

test("a path is proved only by a search that finds shortest ones", () => {
  const trial = {
    heuristic: "manhattan",
    length: 6,
    moves: "",
    h0: 2,
    nodes: 1,
    expanded: 1,
    ms: 1,
  };
  expect(foundOf({ ...trial, search: "ida-star" })).toMatchObject({ proved: true, bound: 6 });
  expect(foundOf({ ...trial, search: "weighted-astar:1.5" })).toMatchObject({
    proved: false,
    bound: 4,
  });
});
