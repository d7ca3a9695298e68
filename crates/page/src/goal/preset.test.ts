import { expect, test } from "vitest";
import { isBoard } from "../game/rules.ts";
import { preset, presetNames, presetOf, withBlankAt } from "./preset.ts";

test("goals of 3x3", () => {
  expect(presetNames.map((name) => preset(name, 3, 3).join(""))).toEqual([
    "123456780",
    "012345678",
    "123654780",
    "123804765",
    "147258360",
  ]);
});

test.each([
  [2, 2],
  [5, 3],
  [3, 5],
  [2, 20],
  [20, 20],
])("all goals of %ix%i are boards and know their names", (columns, rows) => {
  for (const name of presetNames) {
    const goal = preset(name, columns, rows);
    expect(isBoard(goal, columns * rows)).toBe(true);
    expect(preset(presetOf(goal, columns)!, columns, rows)).toEqual(goal);
  }
});

test("another piece as the blank", () => {
  for (const name of presetNames) {
    const goal = preset(name, 4, 3);
    for (let cell = 0; cell < 12; cell++) {
      const changed = withBlankAt(goal, cell);
      expect(changed[cell]).toBe(0);
      expect(isBoard(changed, 12)).toBe(true);
    }
  }
  expect(withBlankAt([1, 2, 3, 4, 5, 6, 7, 8, 0], 4)).toEqual([1, 2, 3, 4, 0, 5, 6, 7, 8]);
});
