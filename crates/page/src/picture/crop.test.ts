import { expect, it } from "vitest";
import { fitted, largest, refitted } from "./crop.ts";

const extent = { width: 400, height: 300 };

it("the largest crop of a ratio is centred and inside the picture", () => {
  expect(largest(extent, 1)).toEqual({ x: 50, y: 0, width: 300, height: 300 });
  expect(largest(extent, 4)).toEqual({ x: 0, y: 100, width: 400, height: 100 });
});

it("a crop for another ratio keeps its area and stays inside", () => {
  const crop = refitted({ x: 300, y: 200, width: 100, height: 100 }, 4, extent);
  expect(crop).toMatchObject({ width: 200, height: 50 });
  expect(crop.x + crop.width).toBeLessThanOrEqual(400);
  expect(refitted(largest(extent, 1), 20, extent)).toMatchObject({ x: 0, width: 400, height: 20 });
});

it("large pictures are reduced, and keep at least one pixel per side", () => {
  expect(fitted({ width: 12000, height: 9000 }, 1600)).toEqual({ width: 1600, height: 1200 });
  expect(fitted({ width: 20, height: 10 }, 1600)).toEqual({ width: 20, height: 10 });
  expect(fitted({ width: 60000, height: 1 }, 1600)).toEqual({ width: 1600, height: 1 });
});
