import { afterEach, expect, test, vi } from "vitest";
import { Records, listOf } from "./records.svelte.ts";

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
