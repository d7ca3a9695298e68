import { expect, test } from "vitest";
import { ordered } from "../game/rules.ts";
import { goalLabel, goalRows } from "./words.ts";

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
