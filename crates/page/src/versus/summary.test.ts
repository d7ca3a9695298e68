import { expect, test } from "vitest";
import { barOf, boundsOf, fewestNodes, pairText, ranked, summaryText } from "./summary.ts";
import { foundOf, type Trial } from "./trial.ts";
import type { Entry } from "./versus.svelte.ts";

const trial = (heuristic: string, nodes: number, more: Partial<Trial> = {}): Trial => ({
  ...{ heuristic, search: "ida-star", h0: 2, nodes, expanded: nodes, ms: 1, iterations: [] },
  ...("limit" in more ? {} : { length: 31, moves: "U" }),
  ...more,
});
const done = (heuristic: string, nodes: number, more?: Partial<Trial>): Entry => ({
  heuristic,
  state: "done",
  trial: trial(heuristic, nodes, more),
});

const entries: Entry[] = [
  done("zero", 500, { limit: "time" }),
  done("manhattan", 400),
  done("misplaced", 9000),
  { heuristic: "8", state: "running" },
  done("linear-conflict", 100),
];

test("most nodes come first, after searches stopped by a limit", () => {
  expect(ranked(entries).map(({ heuristic }) => heuristic)).toEqual([
    "zero",
    "misplaced",
    "manhattan",
    "linear-conflict",
    "8",
  ]);
  expect(fewestNodes(entries)).toBe(100);
  expect(fewestNodes(entries.slice(0, 1))).toBeNull();
});

test("the summary names the most and the fewest nodes, and unfinished searches", () => {
  expect(summaryText(entries)).toBe(
    "Most nodes of the finished searches: Misplaced tiles, 9,000 nodes. " +
      "Stopped at the limit: Zero, at least 500 nodes. Fewest: Linear conflict, 100 nodes.",
  );
  expect(summaryText(entries.slice(1, 2)), "one alone").toBe("");
  expect(summaryText(entries.slice(0, 1)), "one alone").toBe(
    "Stopped at the limit: Zero, at least 500 nodes.",
  );
});

test("a search at its limit with more nodes than the others has the most, exactly counted", () => {
  const cut = done("zero", 254_123_456, { limit: "time" });
  expect(summaryText([done("manhattan", 400), cut, done("8", 500, { limit: "time" })])).toBe(
    "Most nodes: Zero, at least 254,123,456 nodes. " +
      "Stopped at the limit: Pattern database 8, at least 500 nodes. " +
      "Fewest: Manhattan distance, 400 nodes.",
  );
});

test("two searches are compared once both have a solution", () => {
  expect(pairText([done("manhattan", 400), done("linear-conflict", 100)])).toBe(
    "Manhattan distance takes 4.0 times as many nodes as Linear conflict.",
  );
  expect(pairText([done("manhattan", 100), done("linear-conflict", 100)])).toMatch(/same number/);
  expect(pairText([done("manhattan", 100), done("zero", 100, { limit: "time" })])).toBe("");
});

test("bounds of both searches are merged in order", () => {
  const of = (...bounds: number[]): Entry => {
    const iterations = bounds.map((bound) => ({ bound, nodes: 1, expanded: 1, ms: 1 }));
    const progress = { nodes: 1, ms: 1, bound: 1, iterations };
    return { heuristic: "zero", state: "running", progress };
  };
  expect(boundsOf([of(21, 23, 25), of(23, 25, 27), { heuristic: "8", state: "waiting" }])).toEqual([
    21, 23, 25, 27,
  ]);
});

test("bars are logarithmic", () => {
  expect([barOf(1, 10_000), barOf(100, 10_000), barOf(10_000, 10_000)]).toEqual([0, 50, 100]);
});

test.each([
  ["ida-star", 31, true],
  ["weighted-astar:1.5", 21, false],
  ["greedy", 2, false],
])("what a solution of %s proves", (search, bound, proved) => {
  expect(foundOf(trial("manhattan", 400, { search }))).toMatchObject({ bound, proved });
});
