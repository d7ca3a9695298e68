import type { CompareOptions, ComparisonRecord, Laboratory } from "sliding-tile-pdb";
import { describe, expect, it } from "vitest";
import { Bench } from "./bench.ts";
import { Comparison, walksOf } from "./comparison.svelte.ts";

const own = { size: "4x4", text: "a board", goalText: "a goal" };

function record(number: number): ComparisonRecord {
  return {
    set: "random",
    size: "3x3",
    goal: "g",
    number,
    board: String(number),
    search: "ida-star",
    heuristic: "manhattan",
    status: "solved",
    length: 5,
    h0: 3,
    generated: 9,
    expanded: 4,
    reopened: 0,
    peak: 1,
    peak_bytes: 1,
    ms: 1,
    iterations: [{ bound: 5, generated: 9, expanded: 4 }],
  };
}

/** A laboratory that reports two records, and then calls `end`. */
function bench(end: (options: CompareOptions) => Promise<ComparisonRecord[]>): Bench {
  const laboratory: Laboratory = {
    explain: () => Promise.resolve([]),
    heuristics: (size) => Promise.resolve(size === "3x3" ? ["manhattan", "5-3"] : ["manhattan"]),
    compare(options) {
      options.onRecord?.(record(2), { finished: 1, runs: 4 });
      options.onRecord?.(record(1), { finished: 2, runs: 4 });
      return end(options);
    },
    plots: () => Promise.resolve([]),
    close: () => undefined,
  };
  return new Bench(() => Promise.resolve(laboratory));
}

const aborted = (signal: AbortSignal | undefined) =>
  new Promise<never>((_, reject) => {
    signal?.addEventListener("abort", () =>
      reject(Object.assign(new Error("cancelled"), { code: "cancelled" })),
    );
  });

describe("a plan", () => {
  it("counts searches, blind ones once", () => {
    const comparison = new Comparison(bench(() => Promise.resolve([])));
    comparison.searches = ["astar", "breadth-first"];
    comparison.heuristics = ["manhattan", "zero"];
    comparison.number = 10;
    expect(comparison.plan(own).runs).toBe(30);
    comparison.boards = "walks";
    comparison.moves = "50, 10 10";
    expect(comparison.plan(own).runs).toBe(60);
    expect(comparison.plan(own).calls[0].moves).toEqual([10, 50]);
    comparison.boards = "this";
    expect(comparison.plan(own)).toMatchObject({
      runs: 3,
      calls: [{ sizes: ["4x4"], boards: ["a board"], goal: "a goal" }],
    });
  });

  it("leaves out heuristics that a size does not have", async () => {
    const comparison = new Comparison(bench(() => Promise.resolve([])));
    comparison.sizes = ["3x3", "4x4"];
    comparison.heuristics = ["manhattan", "5-3"];
    await comparison.learn(comparison.sizes);
    const { calls } = comparison.plan(own);
    expect(calls.map(({ heuristics }) => heuristics)).toEqual([
      ["manhattan", "5-3"],
      ["manhattan"],
    ]);
  });

  it("reports missing and excessive choices", () => {
    const wrong: [Partial<Comparison>, RegExp][] = [
      [{ sizes: [] }, /at least one size/],
      [{ searches: [] }, /at least one search/],
      [{ heuristics: [] }, /at least one heuristic/],
      [{ number: null }, /number of boards is a whole number/],
      [{ number: 1.5 }, /whole number/],
      [{ number: 5000, heuristics: ["a", "b", "c", "d", "e"] }, /50,000 searches; at most/],
      [{ maxNodes: 0 }, /limit of nodes/],
      [{ maxTime: -1 }, /limit of time/],
      [{ seed: -3 }, /seed/],
    ];
    for (const [change, words] of wrong) {
      const fresh = Object.assign(new Comparison(bench(() => Promise.resolve([]))), change);
      expect(() => fresh.plan(own)).toThrow(words);
    }
    expect(() => walksOf("10, x")).toThrow(/not "x"/);
    expect(() => walksOf(" ")).toThrow(/such as/);
  });
});

describe("a run", () => {
  it("sorts the records, without fields that are never shown", async () => {
    const comparison = new Comparison(bench(() => Promise.resolve([record(1), record(2)])));
    await comparison.run(own);
    expect(comparison.records.map(({ number }) => number)).toEqual([1, 2]);
    expect(comparison.records[0]).not.toHaveProperty("iterations");
    expect(comparison).toMatchObject({ running: false, finished: 2, failure: null });
  });

  it("keeps its results when it is cancelled", async () => {
    const comparison = new Comparison(bench(({ signal }) => aborted(signal)));
    const running = comparison.run(own);
    await Promise.resolve();
    await new Promise((resolve) => setTimeout(resolve));
    comparison.cancel();
    await running;
    expect(comparison.records).toHaveLength(2);
    expect(comparison).toMatchObject({ running: false, cancelled: true, failure: null });
  });

  it("keeps its results when it fails, and reports the error", async () => {
    const comparison = new Comparison(bench(() => Promise.reject(new Error("no memory"))));
    await comparison.run(own);
    expect(comparison.records).toHaveLength(2);
    expect(comparison.failure).toMatch(/No memory/);
    expect(comparison.running).toBe(false);
  });
});

describe("the stored choice", () => {
  it("is restored", () => {
    const one = new Comparison();
    one.boards = "walks";
    one.sizes = ["4x3", "4x4"];
    one.heuristics = ["manhattan"];
    one.searches = ["greedy"];
    one.moves = "5, 9";
    one.maxTime = 2.5;
    one.seed = null;
    const kept: unknown = JSON.parse(JSON.stringify(one.keep()));
    const other = new Comparison();
    other.restore(kept);
    expect(other.keep()).toEqual(one.keep());
  });

  it.each([null, 5, { boards: "all", sizes: ["big"], searches: [7, "magic"], number: "x" }])(
    "may be anything: %j",
    (kept) => {
      const one = new Comparison();
      one.restore(kept);
      expect(one.boards).toBe("uniform");
      expect(one.number).toBe(200);
      expect(one.searches.includes("magic")).toBe(false);
    },
  );
});
