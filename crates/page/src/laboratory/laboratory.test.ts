import type { CompareOptions, ComparisonRecord, Laboratory } from "sliding-tile-pdb";
import type { Plot, PlotOptions } from "sliding-tile-pdb";
import { expect, test, vi } from "vitest";
import { long } from "../common/format.ts";
import { Bench, Comparison, DATABASE, Drawer, walksOf } from "./comparison.svelte.ts";
import { csv, figure, mean, median, summarize } from "./statistics.ts";
import { foundOf, type Ground, Trials } from "./trials.svelte.ts";

const record: ComparisonRecord = {
  set: "random",
  size: "3x3",
  goal: "1 2 3/4 5 6/7 8 0",
  number: 1,
  board: "1 2 3/4 0 6/7 5 8",
  search: "astar",
  heuristic: "manhattan",
  status: "solved",
  length: 2,
  h0: 2,
  generated: 6,
  expanded: 2,
  reopened: 0,
  peak: 7,
  peak_bytes: 20994,
  branching_factor: 2,
  ms: 0.005,
  iterations: [{ bound: 2, generated: 6, expanded: 2 }],
};
const recordOf = (number: number) => ({ ...record, number, board: String(number) });

test("finds the median", () => {
  expect([mean([]), median([])]).toEqual([null, null]);
  expect(median([9, 1, 5])).toBe(5);
  expect(median([100, 1, 2, 3])).toBe(2.5);
  expect(mean([1, 2, 6])).toBe(3);
});

test("statistics sum up by set, search and heuristic", () => {
  const cut: ComparisonRecord = { ...record, number: 2, status: "limit", limit: "nodes" };
  delete cut.length;
  delete cut.branching_factor;
  cut.generated = 100;
  const groups = summarize([record, { ...record, heuristic: "5-3" }, cut]);
  expect(groups.map(({ heuristic }) => heuristic)).toEqual(["manhattan", "5-3"]);
  const names = ["meanLength", "meanGenerated", "branchingFactor"] as const;
  expect(names.map((name) => figure(groups[0], name))).toEqual([2, 53, 2]);
  expect(groups.map(({ cut }) => cut)).toEqual([[cut], []]);
});
test("numbers have three significant digits and thousands separators", () => {
  const numbers = [0, 0.1234, 1.5, 21.88, 1324.4, 154214].map(long);
  expect(numbers.join(" ")).toBe("0 0.123 1.50 21.9 1,324 154,214");
});

test("CSV fields are quoted if necessary", () => {
  const fields = ['a"b', "a,b", "a\nb", " a", "plain", 3, null, undefined];
  expect(csv([fields, ["x"]])).toBe('"a""b","a,b","a\nb"," a",plain,3,,\r\nx\r\n');
});

/** A laboratory that reports two records, and then calls `end`. */
function bench(end: (options: CompareOptions) => Promise<ComparisonRecord[]>): Bench {
  const laboratory: Laboratory = {
    explain: () => Promise.resolve([]),
    heuristics: (size) => Promise.resolve(size === "3x3" ? ["manhattan", "5-3"] : ["manhattan"]),
    compare(options) {
      options.onRecord?.(recordOf(2), { finished: 1, runs: 4 });
      options.onRecord?.(recordOf(1), { finished: 2, runs: 4 });
      return end(options);
    },
    plots: () => Promise.resolve([]),
    close: () => undefined,
  };
  return new Bench(() => Promise.resolve(laboratory));
}

test("a plan counts searches, blind ones once", () => {
  const comparison = new Comparison(bench(() => Promise.resolve([])));
  comparison.searches = ["astar", "breadth-first"];
  comparison.heuristics = ["manhattan", "zero"];
  comparison.number = 10;
  expect(comparison.plan().runs).toBe(30);
  comparison.boards = "walks";
  comparison.moves = "50, 10 10";
  expect(comparison.plan().runs).toBe(60);
  expect(comparison.plan().calls[0].moves).toEqual([10, 50]);
});

test("a plan leaves out heuristics that a size does not have", async () => {
  const comparison = new Comparison(bench(() => Promise.resolve([])));
  comparison.sizes = ["3x3", "4x4"];
  comparison.heuristics = ["manhattan", DATABASE];
  await comparison.learn();
  const { calls } = comparison.plan();
  expect(calls.map(({ heuristics }) => heuristics)).toEqual([
    ["manhattan", "5-3"],
    ["manhattan"],
  ]);
});

test("a plan reports missing and excessive choices", () => {
  const two = ["astar", "ida-star"];
  const wrong: [Partial<Comparison>, RegExp][] = [
    [{ sizes: [] }, /at least one size/],
    [{ searches: [] }, /at least one search/],
    [{ heuristics: [] }, /at least one heuristic/],
    [{ number: null }, /Boards: from 1 to 5,000/],
    [{ number: 1.5 }, /Boards: /],
    [{ number: 5000, heuristics: [..."abcde"], searches: two }, /50,000 searches; at most/],
    [{ maxNodes: 0 }, /Nodes .*from 1 to/],
    [{ maxTime: -1 }, /Seconds .* to 3,600/],
    [{ seed: -3 }, /Seed/],
  ];
  for (const [change, words] of wrong) {
    const fresh = Object.assign(new Comparison(bench(() => Promise.resolve([]))), change);
    expect(() => fresh.plan()).toThrow(words);
  }
  expect(() => walksOf("10, x")).toThrow(/such as/);
  expect(() => walksOf(" ")).toThrow(/such as/);
});
test("a link has all settings; those outside their ranges are ignored", () => {
  const [one, other] = [new Comparison(), new Comparison()];
  const walks = { sizes: ["3x3", "4x4"], boards: "walks", moves: "5, 30", number: 7 } as const;
  const names = { heuristics: [DATABASE], others: "7-8", searches: ["weighted-astar:1.5"] };
  const all = { ...walks, ...names, maxNodes: 1000, maxMemory: 99, maxTime: 0.5, seed: 0 };
  Object.assign(one, all);
  other.adopt(one.link);
  expect(other).toMatchObject(all);
  other.adopt("number:0~seed:x~maxNodes:1.5~maxMemory:4000~sizes:3x3,99x2~searches:b~known:1~");
  expect(other).toMatchObject({ ...all, sizes: ["3x3"], searches: [] });
});

test("a wrong name is refused with the package's reason before a run", async () => {
  const error = new Error("`9-9` is no partition of 3x3: it is large: try");
  const wrong = Object.assign(error, { code: "error" });
  const end = vi.fn((_: CompareOptions) => Promise.reject(wrong));
  const comparison = new Comparison(bench(end));
  comparison.sizes = ["4x3"];
  comparison.others = "9-9";
  await comparison.learn();
  expect(() => comparison.plan()).toThrow(/^It is large\.$/);
  expect(end.mock.calls[0][0].boards).toEqual(["2 1 3 4/5 6 7 8/9 10 11 0"]);
  comparison.others = "5-3";
  wrong.code = "unsolvable";
  await comparison.learn();
  expect(comparison.plan().calls[0].heuristics).toContain("5-3");
});

test("a run sorts the records, without fields that are never shown", async () => {
  const comparison = new Comparison(bench(() => Promise.resolve([recordOf(1), recordOf(2)])));
  await comparison.run();
  expect(comparison.records.map(({ number }) => number)).toEqual([1, 2]);
  expect(comparison.records[0]).not.toHaveProperty("iterations");
  expect(comparison).toMatchObject({ running: false, finished: 2, failure: null });
});

test("a run keeps its results when it fails, and reports the error", async () => {
  const comparison = new Comparison(bench(() => Promise.reject(new Error("no memory"))));
  await comparison.run();
  expect(comparison.records).toHaveLength(2);
  expect(comparison.failure).toMatch(/No memory/);
  expect(comparison.running).toBe(false);
});
const plot: Plot = { name: "time", title: "", x: "", y: "", svg: "<svg/>", series: [] };

/**
 * A drawer with a fake laboratory. The laboratory returns one plot whose title is the set and the
 * width. With `fails`, it rejects every call.
 */
function drawer(asked: string[], fails = false): Drawer {
  const plots = (_: readonly ComparisonRecord[], options: PlotOptions = {}) => {
    asked.push(`${options.set} ${options.width}`);
    if (fails) return Promise.reject(new Error("no"));
    return Promise.resolve([{ ...plot, title: asked.at(-1) ?? "" }]);
  };
  const laboratory = { plots, close: () => undefined } as unknown as Laboratory;
  return new Drawer(new Bench(() => Promise.resolve(laboratory)));
}

const of = (set: string) => ({ records: [], options: { set, width: 300, bare: true } });

test("draws the first and the last of the subjects that arrive at once", async () => {
  const asked: string[] = [];
  const own = drawer(asked);
  const all = Promise.all(["one", "two", "three"].map((set) => own.show(of(set))));
  await vi.waitFor(() => expect(own.plots[0]?.title).toBe("one 300"));
  own.hurry();
  await all;
  expect(asked).toEqual(["one 300", "three 300"]);
  expect(own.plots[0].title).toBe("three 300");
});

test("keeps what it drew when a drawing fails", async () => {
  const own = drawer([], true);
  await own.show(of("one"));
  expect(own.failure).toBe("No.");
  expect(own.plots).toEqual([]);
});

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
  const found = { heuristic: "manhattan", length: 6, moves: "", h0: 2, nodes: 1, expanded: 1 };
  const of = (search: string) => foundOf({ ...found, ms: 1, search });
  expect(of("ida-star")).toMatchObject({ proved: true, bound: 6 });
  expect(of("weighted-astar:1.5")).toMatchObject({ proved: false, bound: 2 });
});
