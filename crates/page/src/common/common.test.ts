import { expect, test, vi } from "vitest";
import { timeText } from "./format.ts";
import { reloadWithVersion } from "./offline.ts";
import { layOut, margin, origin, scrollFor, scrollToCell } from "../board/zoom.ts";

test.each([
  [0.04, "0.1 ms"],
  [999, "999 ms"],
  [3400, "3.4 s"],
  [125_000, "2 min 5 s"],
  [180_000, "3 min"],
])("a time of %d ms", (ms, words) => expect(timeText(ms)).toBe(words));

/**
 * Simulates three takeovers by service workers. Returns the total number of `reload` calls after
 * each takeover.
 */
function reloads(controller: object | null): number[] {
  const container = Object.assign(new EventTarget(), { controller });
  const reload = vi.fn();
  reloadWithVersion(container as unknown as ServiceWorkerContainer, reload);
  return [1, 2, 3].map(() => {
    container.controller = {};
    container.dispatchEvent(new Event("controllerchange"));
    return reload.mock.calls.length;
  });
}

test("a tab reloads once with the next version", () => {
  expect(reloads({})).toEqual([1, 1, 1]);
});

test("a tab of a first visit stays with the first service worker", () => {
  expect(reloads(null)).toEqual([0, 1, 1]);
});

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
