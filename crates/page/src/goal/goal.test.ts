import { expect, test } from "vitest";
import { isBoard, ordered } from "sliding-tile-pdb/board-rules";
import { goalLabel, goalRows, preset, presetNames, presetOf, withBlankAt } from "./preset.ts";

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

test("a goal's text alternative names its order and has its rows", () => {
  expect(goalLabel(ordered(9), 3)).toBe("Goal: Blank last: 1 2 3; 4 5 6; 7 8 blank");
  expect(goalLabel([3, 1, 2, 0, 4, 5], 3)).toBe("Goal: Own order: 3 1 2; blank 4 5");
});

test("a large goal is only named: its rows are read one by one", () => {
  expect(goalLabel(ordered(400), 20)).toBe("Goal: Blank last");
  const rows = goalRows(ordered(400), 20);
  expect(rows).toHaveLength(20);
  expect(rows[19]).toMatch(/^381 .* 399 blank$/);
});
