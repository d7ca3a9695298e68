import type { ComparisonRecord } from "sliding-tile-pdb";
import { describe, expect, it } from "vitest";
import { long } from "../common/format.ts";
import { isCut, mean, median, remaining, summarize } from "./statistics.ts";
import { csv, csvField, recordsCsv } from "./text.ts";

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
  optimal_length: 2,
  moves: "UL",
  h0: 2,
  generated: 6,
  expanded: 2,
  reopened: 0,
  peak: 7,
  peak_bytes: 20994,
  branching_factor: 2,
  ms: 0.005,
};

describe("statistics", () => {
  it("has no mean or median without values", () => {
    expect(mean([])).toBeNull();
    expect(median([])).toBeNull();
  });

  it("estimates the remaining time by group", () => {
    const fast = { ...record, ms: 1 };
    const slow = { ...record, search: "ida-star", ms: 100 };
    // 3 groups of 10: one finished, one started, and one pending that counts like the slowest.
    const groups = summarize([...Array<typeof record>(10).fill(fast), slow, slow]);
    expect(remaining(groups, 30, 10)).toBe(8 * 100 + 10 * 100);
    expect(remaining([], 30, 10)).toBe(0);
  });

  it("finds the median", () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([100, 1, 2, 3])).toBe(2.5);
    expect(mean([1, 2, 6])).toBe(3);
  });

  it("sums up by set, search and heuristic", () => {
    const cut: ComparisonRecord = { ...record, number: 2, status: "limit", limit: "nodes" };
    delete cut.length;
    delete cut.branching_factor;
    cut.generated = 100;
    const groups = summarize([record, { ...record, heuristic: "5-3" }, cut]);
    expect(groups.map(({ heuristic }) => heuristic)).toEqual(["manhattan", "5-3"]);
    expect(groups[0]).toMatchObject({
      runs: 2,
      solved: 1,
      limits: { nodes: 1 },
      meanLength: 2,
      meanGenerated: 53,
      branchingFactor: 2,
    });
    expect(groups.map(isCut)).toEqual([true, false]);
  });
});

describe("numbers", () => {
  it("have three significant digits and thousands separators", () => {
    expect([0, 0.1234, 1.5, 21.88, 1324.4, 154214].map(long)).toEqual([
      "0",
      "0.123",
      "1.50",
      "21.9",
      "1,324",
      "154,214",
    ]);
  });
});

describe("text", () => {
  it("quotes CSV fields if necessary", () => {
    expect(['a"b', "a,b", "a\nb", " a", "plain", 3, null, undefined].map(csvField)).toEqual([
      '"a""b"',
      '"a,b"',
      '"a\nb"',
      '" a"',
      "plain",
      "3",
      "",
      "",
    ]);
    expect(
      csv([
        ["a", 1],
        ["x,y", null],
      ]),
    ).toBe('a,1\r\n"x,y",\r\n');
  });

  it("writes all fields of a record", () => {
    const [head, line, end] = recordsCsv([record]).split("\r\n");
    expect(head.split(",")).toHaveLength(20);
    expect(line).toBe(
      "random,3x3,1 2 3/4 5 6/7 8 0,1,1 2 3/4 0 6/7 5 8,astar,manhattan,solved,,2,2,2,6,2,0,7," +
        "20994,2,0.005,UL",
    );
    expect(end).toBe("");
  });
});
