import { loadPuzzle } from "sliding-tile-pdb";
import { expect, test } from "vitest";
import { NO_TABLES, defaultPartition, presets } from "./choice.ts";

const puzzle = await loadPuzzle();
const offered = (size: string, metric: "single" | "multi", usual?: string) =>
  presets(size, metric, puzzle.partitions(size, metric), usual).map(({ partition }) => partition);

test("the package chooses, unless the visitor would wait for long", () => {
  for (const size of ["2x2", "3x3", "4x4", "5x5", "6x6", "12x3"]) {
    expect(defaultPartition(size, "single")).toBeUndefined();
  }
  for (const size of ["7x6", "7x7", "20x20"]) {
    expect(defaultPartition(size, "single")).toBe(NO_TABLES);
  }
  expect(defaultPartition("4x3", "multi")).toBeUndefined();
  expect(defaultPartition("4x4", "multi")).toBe(NO_TABLES);
});

test("the default partition is offered, and smaller ones", () => {
  expect(offered("5x5", "single", "5-5-5-5-4")).toEqual([
    "5-5-5-5-4",
    "4-4-4-4-4-4",
    "3-3-3-3-3-3-3-3",
    NO_TABLES,
  ]);
  const of6x6 = offered("6x6", "single", "4-4-4-4-4-4-4-4-3");
  expect(of6x6[0]).toBe("4-4-4-4-4-4-4-4-3");
  expect(of6x6).toHaveLength(3);
  // The package's default partition is still unknown.
  expect(offered("5x5", "single")).toHaveLength(5);
  expect(offered("2x2", "single")).toEqual(["3", NO_TABLES]);
  expect(offered("4x4", "single")[0]).toBe("6-6-3");
});

test("tables that are too large are not offered", () => {
  expect(offered("7x7", "single")).toEqual([NO_TABLES]);
  expect(offered("4x4", "multi")).toEqual([NO_TABLES]);
  expect(offered("4x3", "multi")).toEqual(["runs", NO_TABLES]);
});
