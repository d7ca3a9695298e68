import { afterEach, expect, test, vi } from "vitest";
import { listOf, Records } from "./records.svelte.ts";
import { isBoard, ordered } from "sliding-tile-pdb/board-rules";
import { goalLabel, goalRows, preset, presetNames, presetOf, withBlankAt } from "../goal/preset.ts";

const list = "4x4 blank-last";
const result = (ms: number, moves = 20) => ({ ms, moves });

function memory(records?: unknown): Map<string, string> {
  const kept = new Map([["sliding-tile.records", JSON.stringify(records ?? {})]]);
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  });
  return kept;
}

afterEach(() => vi.unstubAllGlobals());

test("damaged entries are skipped, the others stay", () => {
  memory({
    [list]: result(1500),
    "3x3 own": { ms: -1, moves: 80 },
    "3x3 snake": { ms: 1500, moves: "80" },
    "3x3 spiral": null,
    "99x1 blank-last": result(1),
    "3x3 diagonal": result(1),
  });
  expect([...new Records().lists]).toEqual([[list, result(1500)]]);
});

test("without storage the results of this visit are shown", () => {
  const records = new Records();
  records.add(list, result(1500));
  records.add(list, result(1400));
  expect([...records.lists]).toEqual([[list, result(1400)]]);
});

test("a result stored by another tab in the meantime stays", () => {
  memory();
  const [one, other] = [new Records(), new Records()];
  one.add(list, result(1400));
  other.add(list, result(1500));
  other.add("3x3 own", result(1));
  expect([...new Records().lists]).toEqual([
    [list, result(1400)],
    ["3x3 own", result(1)],
  ]);
});

test("a record is better than all earlier results; the first result is not a record", () => {
  const records = new Records();
  const add = (ms: number, moves: number) => {
    const { isFastest, isShortest } = records.add(list, result(ms, moves));
    return [isFastest, isShortest];
  };
  expect(add(1500, 20)).toEqual([false, false]);
  expect(add(1500, 20)).toEqual([false, false]);
  expect(add(1499, 21)).toEqual([true, false]);
  expect(add(1600, 19)).toEqual([false, true]);
});

test("the list of a game is its size and kind of goal", () => {
  expect(listOf({ size: "2x2", goal: [1, 2, 3, 0], columns: 2 })).toBe("2x2 blank-last");
  expect(listOf({ size: "2x2", goal: [3, 2, 1, 0], columns: 2 })).toBe("2x2 own");
});

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
