import { expect, test } from "vitest";
import { layOut, margin, origin, scrollFor, scrollToCell } from "./zoom.ts";

test("boards with comfortable tiles are not magnified", () => {
  expect(layOut({ width: 360, height: 500 }, 4, 4, 960)).toMatchObject({ side: 344, most: 1 });
  expect(layOut({ width: 0, height: 0 }, 20, 20, 960)).toMatchObject({ side: 0, most: 1 });
});

test("the buttons are where they leave more room", () => {
  const tall = layOut({ width: 360, height: 500 }, 20, 20, 960);
  expect(tall).toMatchObject({ side: 344, buttons: "bottom" });
  expect(tall.most * (344 / 20)).toBeCloseTo(72);
  expect(layOut({ width: 360, height: 270 }, 20, 20, 960)).toMatchObject({
    side: 254,
    buttons: "right",
  });
});

test("the part of the board at a point stays there", () => {
  for (const [board, next] of [
    [344, 800],
    [800, 500],
  ]) {
    const [view, point, scrolled] = [360, 100, 50];
    const share = (point - origin(view, board, board > view ? scrolled : 0)) / board;
    const moved = scrollFor(share, next, point);
    expect(origin(view, next, moved) + share * next).toBeCloseTo(point);
  }
});

test("a cell is scrolled into view with its neighbours, by the shortest distance", () => {
  expect(scrollToCell(100, 300, 50, 4)).toBe(100);
  expect(scrollToCell(100, 300, 50, 1)).toBe(margin / 2);
  expect(scrollToCell(100, 300, 50, 10)).toBe(margin / 2 + 12 * 50 - 300);
});
