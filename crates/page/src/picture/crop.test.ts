import { describe, expect, it } from "vitest";
import {
  fitted,
  grown,
  handles,
  largest,
  moved,
  refitted,
  resized,
  type Rectangle,
} from "./crop.ts";

const extent = { width: 400, height: 300 };

function expectInside(crop: Rectangle, ratio: number) {
  expect(crop.x).toBeGreaterThanOrEqual(0);
  expect(crop.y).toBeGreaterThanOrEqual(0);
  expect(crop.x + crop.width).toBeLessThanOrEqual(extent.width + 1e-9);
  expect(crop.y + crop.height).toBeLessThanOrEqual(extent.height + 1e-9);
  expect(crop.width / crop.height).toBeCloseTo(ratio, 9);
}

describe("largest", () => {
  it("touches two sides, in the middle", () => {
    expect(largest(extent, 1)).toEqual({ x: 50, y: 0, width: 300, height: 300 });
    expect(largest(extent, 2)).toEqual({ x: 0, y: 50, width: 400, height: 200 });
  });
});

describe("moved", () => {
  it("stops at the borders", () => {
    const crop = { x: 10, y: 10, width: 100, height: 100 };
    expect(moved(crop, -50, 5, extent)).toEqual({ ...crop, x: 0, y: 15 });
    expect(moved(crop, 1000, 1000, extent)).toEqual({ ...crop, x: 300, y: 200 });
  });
});

describe("resized", () => {
  const crop = { x: 100, y: 100, width: 100, height: 100 };

  it("keeps the opposite corner", () => {
    expect(resized(crop, "se", 50, 20, extent)).toEqual({ ...crop, width: 150, height: 150 });
    expect(resized(crop, "nw", -50, 0, extent)).toEqual({ x: 50, y: 50, width: 150, height: 150 });
    expect(resized(crop, "ne", 0, 40, extent)).toEqual({ x: 100, y: 140, width: 60, height: 60 });
  });

  it("keeps the opposite side and grows equally in the other directions", () => {
    expect(resized(crop, "e", 40, 99, extent)).toEqual({ x: 100, y: 80, width: 140, height: 140 });
    expect(resized(crop, "n", 99, -40, extent)).toEqual({ x: 80, y: 60, width: 140, height: 140 });
  });

  it("always stays in the picture, with its ratio", () => {
    for (const ratio of [1, 4 / 3, 0.1, 20]) {
      const begin = refitted(largest(extent, ratio), ratio, extent);
      for (const handle of handles) {
        for (const dx of [-1000, -37, 0, 12, 1000]) {
          for (const dy of [-1000, -5, 0, 80, 1000]) {
            const small = grown(begin, -200, extent);
            expectInside(resized(begin, handle, dx, dy, extent), ratio);
            expectInside(resized(small, handle, dx, dy, extent), ratio);
          }
        }
      }
    }
  });

  it("does not vanish", () => {
    const least = resized(crop, "se", -1000, -1000, extent);
    expect(least).toEqual({ x: 100, y: 100, width: 16, height: 16 });
  });
});

describe("grown and refitted", () => {
  it("stay inside", () => {
    const crop = { x: 390, y: 290, width: 10, height: 10 };
    expectInside(grown(crop, 100, extent), 1);
    expectInside(grown(crop, 1e6, extent), 1);
    expectInside(refitted(crop, 3, extent), 3);
    expectInside(refitted(largest(extent, 1), 20, extent), 20);
  });
});

describe("fitted", () => {
  it("makes large pictures smaller, and small ones not larger", () => {
    expect(fitted({ width: 12000, height: 9000 }, 1600)).toEqual({ width: 1600, height: 1200 });
    expect(fitted({ width: 20, height: 10 }, 1600)).toEqual({ width: 20, height: 10 });
    expect(fitted({ width: 60000, height: 1 }, 1600)).toEqual({ width: 1600, height: 1 });
  });
});
