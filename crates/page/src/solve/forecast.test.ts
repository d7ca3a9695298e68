import { expect, test } from "vitest";
import { NodeGrowth } from "./forecast.ts";
import { roughTimeText } from "../common/format.ts";

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
