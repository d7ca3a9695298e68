import type { CompareOptions, ComparisonRecord, Laboratory } from "sliding-tile-pdb";
import { describe, expect, it } from "vitest";
import { Bench } from "./bench.ts";
import { Comparison, DATABASE, walksOf } from "./comparison.svelte.ts";

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
    expect(comparison.plan().runs).toBe(30);
    comparison.boards = "walks";
    comparison.moves = "50, 10 10";
    expect(comparison.plan().runs).toBe(60);
    expect(comparison.plan().calls[0].moves).toEqual([10, 50]);
  });

  it("leaves out heuristics that a size does not have", async () => {
    const comparison = new Comparison(bench(() => Promise.resolve([])));
    comparison.sizes = ["3x3", "4x4"];
    comparison.heuristics = ["manhattan", DATABASE];
    await comparison.learn(comparison.sizes);
    const { calls } = comparison.plan();
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
      [
        { number: 5000, heuristics: [..."abcde"], searches: ["astar", "ida-star"] },
        /50,000 searches; at most/,
      ],
      [{ maxNodes: 0 }, /limit of nodes/],
      [{ maxTime: -1 }, /limit of time/],
      [{ seed: -3 }, /seed/],
    ];
    for (const [change, words] of wrong) {
      const fresh = Object.assign(new Comparison(bench(() => Promise.resolve([]))), change);
      expect(() => fresh.plan()).toThrow(words);
    }
    expect(() => walksOf("10, x")).toThrow(/such as/);
    expect(() => walksOf(" ")).toThrow(/such as/);
  });
});

describe("the first choice", () => {
  it("is random boards, or boards after few moves on a large size", () => {
    const comparison = new Comparison(bench(() => Promise.resolve([])));
    comparison.begin("3x3");
    expect(comparison).toMatchObject({ sizes: ["3x3"], boards: "uniform", number: 200 });
    expect(comparison.plan().runs).toBe(600);
    comparison.begin("4x4");
    expect(comparison).toMatchObject({ sizes: ["4x4"], boards: "walks", number: 20 });
    expect(comparison.plan().calls[0].moves).toEqual([10, 20, 30, 40]);
  });
});

describe("a run", () => {
  it("sorts the records, without fields that are never shown", async () => {
    const comparison = new Comparison(bench(() => Promise.resolve([record(1), record(2)])));
    await comparison.run();
    expect(comparison.records.map(({ number }) => number)).toEqual([1, 2]);
    expect(comparison.records[0]).not.toHaveProperty("iterations");
    expect(comparison).toMatchObject({ running: false, finished: 2, failure: null });
  });

  it("keeps its results when it is cancelled", async () => {
    const comparison = new Comparison(bench(({ signal }) => aborted(signal)));
    const running = comparison.run();
    await Promise.resolve();
    await new Promise((resolve) => setTimeout(resolve));
    comparison.cancel();
    await running;
    expect(comparison.records).toHaveLength(2);
    expect(comparison).toMatchObject({ running: false, cancelled: true, failure: null });
  });

  it("keeps its results when it fails, and reports the error", async () => {
    const comparison = new Comparison(bench(() => Promise.reject(new Error("no memory"))));
    await comparison.run();
    expect(comparison.records).toHaveLength(2);
    expect(comparison.failure).toMatch(/No memory/);
    expect(comparison.running).toBe(false);
  });
});
