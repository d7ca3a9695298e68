import { expect, test } from "vitest";
import { roughTimeText } from "../common/format.ts";
import { NodeGrowth } from "./forecast.ts";
import { endsOf, groupsOf, labelsOf, lettersOf, movesText, reversed, tilesOf } from "./moves.ts";

/** A search at 1000 nodes per millisecond whose iterations take the given milliseconds. */
function growthOf(iterations: readonly number[], into: number, first = 80): NodeGrowth {
  const growth = new NodeGrowth();
  let ms = 1;
  iterations.forEach((length, index) => {
    growth.hear({ bound: first + 2 * index, nodes: 1000 * ms, ms });
    ms += length;
  });
  growth.hear({ bound: first + 2 * iterations.length, nodes: 1000 * ms, ms });
  ms += into;
  growth.hear({ bound: first + 2 * iterations.length, nodes: 1000 * ms, ms });
  return growth;
}

test("the next bound is forecast from the growth of earlier ones, less its elapsed time", () => {
  const forecast = growthOf([500, 2000, 8000], 4000).forecast();
  expect(forecast?.bound).toBe(88);
  expect(forecast?.ms).toBeCloseTo(32_000 - 4000);
  expect(forecast?.proof).toBeNull();
});

test("the proof includes all bounds below the best solution", () => {
  const forecast = growthOf([500, 2000, 8000], 4000).forecast(92);
  // The proof searches the bounds 86, 88 and 90; a solution of length 92 is known.
  expect(forecast?.proof).toBeCloseTo(28_000 + 128_000 + 512_000);
});

test("without two measured bounds there is no forecast", () => {
  expect(new NodeGrowth().forecast()).toBeNull();
  expect(growthOf([500], 4000).forecast()).toBeNull();
  expect(growthOf([500, 100], 4000).forecast(), "too short to be measured").toBeNull();
});

test("a bound that takes longer than the forecast has no time left", () => {
  expect(growthOf([500, 2000], 9000).forecast()?.ms).toBe(0);
});

test("slow growth of nodes does not forecast a quick proof", () => {
  expect(growthOf([2000, 2000], 0).forecast()?.ms).toBeCloseTo(3000);
});

test.each([
  [400, "1 s"],
  [42_000, "40 s"],
  [95_000, "2 min"],
  [3.2 * 3_600_000, "3 h"],
  [5 * 86_400_000, "5 days"],
  [2345 * 365.25 * 86_400_000, "2,000 years"],
])("%d ms are about %s", (ms, words) => expect(roughTimeText(ms)).toBe(words));

const board = [1, 2, 3, 4, 0, 6, 7, 5, 8];

test("counts are parsed and written", () => {
  expect(lettersOf("U2RD12L")).toBe("UUR" + "D".repeat(12) + "L");
  expect(groupsOf("UURDDDL")).toBe("U2RD3L");
});

test("a move is a letter, or a run of them", () => {
  expect(endsOf("UURD", "single")).toEqual([1, 2, 3, 4]);
  expect(endsOf("UURD", "multi")).toEqual([2, 3, 4]);
  expect(endsOf("", "multi")).toEqual([]);
});

test("moves in all notations", () => {
  const tiles = tilesOf(board, 3, "UL");
  expect(tiles).toEqual([5, 8]);
  expect(movesText("UL", [1, 2], tiles, "tile")).toBe("UL");
  expect(movesText("UL", [1, 2], tiles, "blank")).toBe("DR");
  expect(movesText("UL", [1, 2], tiles, "numbers")).toBe("5 8");
  expect(labelsOf("UUL", [2, 3], [5, 8, 1], "tile")).toEqual(["U2", "L"]);
  expect(labelsOf("UUL", [2, 3], [5, 8, 1], "numbers")).toEqual(["5 8", "1"]);
});

test("inverse moves", () => expect(reversed("UUL")).toBe("RDD"));
