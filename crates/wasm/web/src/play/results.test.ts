import { expect, test } from "vitest";
import { DAMAGED, KEY, Records, type TextStore } from "./records.svelte.ts";
import { MOST, added, average, csv, listOf, read, write, type Result } from "./results.ts";

const result = (ms: number, moves = 20, at = 0): Result => ({ ms, moves, at });
const list = "4x4 blank-last";

function memory(text?: string): TextStore & { kept: Map<string, string> } {
  const kept = new Map(text === undefined ? [] : [[KEY, text]]);
  return {
    kept,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
  };
}

test("stored results are restored", () => {
  const lists = new Map([[list, [result(1500, 80, 7), result(1400, 90, 8)]]]);
  expect(read(write(lists))).toEqual({ lists, damaged: 0, isNewer: false });
  expect(read(null)).toEqual({ lists: new Map(), damaged: 0, isNewer: false });
});

test("damaged entries are skipped, the others stay", () => {
  const text = JSON.stringify({
    version: 1,
    lists: {
      [list]: [[1500, 80, 7], [-1, 80, 7], [1500, "80", 7], [1, 2], null, [9, 0, 1]],
      "99x1 blank-last": [[1, 1, 1]],
      "3x3 own": "no list",
    },
  });
  const { lists, damaged } = read(text);
  expect([...lists]).toEqual([[list, [result(1500, 80, 7)]]]);
  expect(damaged).toBe(7);
});

test.each(["{", '"text"', "[]", "null", '{"version":0,"lists":{}}', '{"version":1}'])(
  "a text that holds no results is damaged: %s",
  (text) => expect(read(text)).toEqual({ lists: new Map(), damaged: 1, isNewer: false }),
);

test("a damaged text is backed up before it is overwritten", () => {
  const store = memory("{");
  const records = new Records(() => store);
  expect(records.damaged).toBe(1);
  records.add(list, result(1500));
  expect(store.kept.get(DAMAGED)).toBe("{");
  expect(read(store.kept.get(KEY)!).lists.get(list)).toEqual([result(1500)]);
});

test("results of a later version are not overwritten", () => {
  const text = '{"version":2}';
  const store = memory(text);
  const records = new Records(() => store);
  expect(records.unkept).toBe("newer");
  records.add(list, result(1500));
  expect(store.kept.get(KEY)).toBe(text);
  expect(records.of(list)).toHaveLength(1);
});

test("without storage the results of this visit are shown", () => {
  const records = new Records(() => {
    throw new Error("denied");
  });
  records.add(list, result(1500));
  records.add(list, result(1400));
  expect([records.unkept, records.of(list).length]).toEqual(["denied", 2]);
});

test("a result stored by another tab in the meantime stays", () => {
  const store = memory();
  const [one, other] = [new Records(() => store), new Records(() => store)];
  one.add(list, result(1500));
  other.add(list, result(1400));
  expect(read(store.kept.get(KEY)!).lists.get(list)).toHaveLength(2);
});

test("a record is better than all earlier results; the first result is not a record", () => {
  const records = new Records(() => memory());
  const store = memory();
  const kept = new Records(() => store);
  const of = ({ isFastest, isShortest }: ReturnType<Records["add"]>) => [isFastest, isShortest];
  expect(of(records.add(list, result(1500, 20)))).toEqual([false, false]);
  expect(of(kept.add(list, result(1500, 20)))).toEqual([false, false]);
  expect(of(kept.add(list, result(1500, 20)))).toEqual([false, false]);
  expect(of(kept.add(list, result(1499, 21)))).toEqual([true, false]);
  expect(of(kept.add(list, result(1600, 19)))).toEqual([false, true]);
  expect(of(kept.add("3x3 own", result(1, 1)))).toEqual([false, false]);
});

test("averages exclude the best and the worst", () => {
  const times = [10, 1, 99, 20, 30, 0].map((ms) => result(ms));
  expect(average(times, 5)).toEqual({ latest: (1 + 20 + 30) / 3, best: (1 + 20 + 30) / 3 });
  expect(average(times.slice(0, 5), 5)).toEqual({ latest: 20, best: 20 });
  expect(average([...times, result(0)], 5)).toEqual({ latest: 50 / 3, best: 50 / 3 });
  expect(average(times, 12)).toBeNull();
});

test("a full list keeps its best and drops its oldest", () => {
  const full = Array.from({ length: MOST }, (_, at) => result(at === 0 ? 1 : 1000, 20, at));
  const next = added(full, result(2000, 99, MOST));
  expect(next).toHaveLength(MOST);
  expect(next[0].ms).toBe(1);
  expect(next.at(-1)!.moves).toBe(99);
});

test("the list of a game is its size and kind of goal", () => {
  expect(listOf({ size: "2x2", goal: [1, 2, 3, 0], columns: 2 })).toBe("2x2 blank-last");
  expect(listOf({ size: "2x2", goal: [3, 2, 1, 0], columns: 2 })).toBe("2x2 own");
});

test("lists as CSV", () => {
  expect(csv(new Map([[list, [result(61_005, 80, 0)]]]))).toBe(
    "size,goal,solved_at,time_ms,time,moves\n" +
      "4x4,blank-last,1970-01-01T00:00:00.000Z,61005,1:01.005,80\n",
  );
});
