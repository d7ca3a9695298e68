import { expect, test } from "vitest";
import { roughTimeText } from "../common/format.ts";
import { NodeGrowth } from "./forecast.ts";
import { endsOf, groupsOf, labelsOf, lettersOf, movesText, reversed, tilesOf } from "./moves.ts";
import { loadPuzzle } from "sliding-tile-pdb";
import { defaultPartition, NO_TABLES, presets } from "../solver/choice.ts";
import { isCancelled, pageError, sentence } from "../solver/error.ts";
import { Task } from "../solver/task.svelte.ts";

/** A search at 1000 nodes per millisecond whose iterations take the given milliseconds. */
function growthOf(iterations: readonly number[], into: number, first = 80): NodeGrowth {
  const growth = new NodeGrowth();
  let ms = 1;
  iterations.forEach((length, index) => {
    growth.hear({ bound: first + 2 * index, nodes: 1000 * ms, ms });
    ms += length;
  });
  growth.hear({ bound: first + 2 * iterations.length, nodes: 1000 * ms, ms });
  ms += into;
  growth.hear({ bound: first + 2 * iterations.length, nodes: 1000 * ms, ms });
  return growth;
}

test("the next bound is forecast from the growth of earlier ones, less its elapsed time", () => {
  const forecast = growthOf([500, 2000, 8000], 4000).forecast();
  expect(forecast?.bound).toBe(88);
  expect(forecast?.ms).toBeCloseTo(32_000 - 4000);
  expect(forecast?.proof).toBeNull();
});

test("the proof includes all bounds below the best solution", () => {
  const forecast = growthOf([500, 2000, 8000], 4000).forecast(92);
  // The proof searches the bounds 86, 88 and 90; a solution of length 92 is known.
  expect(forecast?.proof).toBeCloseTo(28_000 + 128_000 + 512_000);
});

test("without two measured bounds there is no forecast", () => {
  expect(new NodeGrowth().forecast()).toBeNull();
  expect(growthOf([500], 4000).forecast()).toBeNull();
  expect(growthOf([500, 100], 4000).forecast(), "too short to be measured").toBeNull();
});

test("a bound that takes longer than the forecast has no time left", () => {
  expect(growthOf([500, 2000], 9000).forecast()?.ms).toBe(0);
});

test("slow growth of nodes does not forecast a quick proof", () => {
  expect(growthOf([2000, 2000], 0).forecast()?.ms).toBeCloseTo(3000);
});

test.each([
  [400, "1 s"],
  [42_000, "40 s"],
  [95_000, "2 min"],
  [3.2 * 3_600_000, "3 h"],
  [5 * 86_400_000, "5 days"],
  [2345 * 365.25 * 86_400_000, "2,000 years"],
])("%d ms are about %s", (ms, words) => expect(roughTimeText(ms)).toBe(words));

const board = [1, 2, 3, 4, 0, 6, 7, 5, 8];

test("counts are parsed and written", () => {
  expect(lettersOf("U2RD12L")).toBe("UUR" + "D".repeat(12) + "L");
  expect(groupsOf("UURDDDL")).toBe("U2RD3L");
});

test("a move is a letter, or a run of them", () => {
  expect(endsOf("UURD", "single")).toEqual([1, 2, 3, 4]);
  expect(endsOf("UURD", "multi")).toEqual([2, 3, 4]);
  expect(endsOf("", "multi")).toEqual([]);
});

test("moves in all notations", () => {
  const tiles = tilesOf(board, 3, "UL");
  expect(tiles).toEqual([5, 8]);
  expect(movesText("UL", [1, 2], tiles, "tile")).toBe("UL");
  expect(movesText("UL", [1, 2], tiles, "blank")).toBe("DR");
  expect(movesText("UL", [1, 2], tiles, "numbers")).toBe("5 8");
  expect(labelsOf("UUL", [2, 3], [5, 8, 1], "tile")).toEqual(["U2", "L"]);
  expect(labelsOf("UUL", [2, 3], [5, 8, 1], "numbers")).toEqual(["5 8", "1"]);
});

test("inverse moves", () => expect(reversed("UUL")).toBe("RDD"));

const puzzle = await loadPuzzle();
const offered = (size: string, metric: "single" | "multi", usual?: string) =>
  presets(size, metric, puzzle.partitions(size, metric), usual).map(({ partition }) => partition);

test("the package chooses, unless the visitor would wait for long", () => {
  for (const size of ["2x2", "3x3", "4x4", "5x5", "6x6", "12x3"]) {
    expect(defaultPartition(size, "single")).toBeUndefined();
  }
  for (const size of ["7x6", "7x7", "20x20"]) {
    expect(defaultPartition(size, "single")).toBe(NO_TABLES);
  }
  expect(defaultPartition("4x3", "multi")).toBeUndefined();
  expect(defaultPartition("4x4", "multi")).toBe(NO_TABLES);
});

test("the default partition is offered, and smaller ones", () => {
  const of5x5 = offered("5x5", "single", "5-5-5-5-4").join(" ");
  expect(of5x5).toBe(`5-5-5-5-4 4-4-4-4-4-4 3-3-3-3-3-3-3-3 ${NO_TABLES}`);
  const of6x6 = offered("6x6", "single", "4-4-4-4-4-4-4-4-3");
  expect(of6x6[0]).toBe("4-4-4-4-4-4-4-4-3");
  expect(of6x6).toHaveLength(3);
  // The package's default partition is still unknown.
  expect(offered("5x5", "single")).toHaveLength(5);
  expect(offered("2x2", "single")).toEqual(["3", NO_TABLES]);
  expect(offered("4x4", "single")[0]).toBe("6-6-3");
});

test("tables that are too large are not offered", () => {
  expect(offered("7x7", "single")).toEqual([NO_TABLES]);
  expect(offered("4x4", "multi")).toEqual([NO_TABLES]);
  expect(offered("4x3", "multi")).toEqual(["runs", NO_TABLES]);
});

test("messages are sentences, names stay as they are", () => {
  expect(sentence("the file is damaged")).toBe("The file is damaged.");
  expect(sentence("https://a.b/c.json: HTTP status 404")).toBe(
    "https://a.b/c.json: HTTP status 404.",
  );
  expect(sentence("")).not.toBe("");
});

test("the remedy depends on the code, also for plain objects and any exception", () => {
  const memory = Object.assign(new Error("out of memory"), { code: "memory" });
  expect(pageError(memory).text).toMatch(/^Out of memory\. Choose a smaller partition/);
  expect(pageError("odd")).toEqual({ code: "error", text: "Odd." });
});

test("cancelling differs from failing", () => {
  expect(isCancelled(Object.assign(new Error("x"), { code: "cancelled" }))).toBe(true);
  expect(isCancelled(new DOMException("x", "AbortError"))).toBe(true);
  expect(isCancelled(new Error("cancelled"))).toBe(false);
});

/** A promise with its functions. */
function later<T>() {
  let settle: [(value: T) => void, (error: Error) => void];
  const promise = new Promise<T>((resolve, reject) => (settle = [resolve, reject]));
  return { promise, resolve: settle![0], reject: settle![1] };
}

test("only the latest answer counts, whichever comes last", async () => {
  const task = new Task();
  const [old, young] = [later<string>(), later<string>()];
  let oldSignal: AbortSignal | undefined;
  const first = task.run((signal) => {
    oldSignal = signal;
    return old.promise;
  });
  const second = task.run(() => young.promise);
  expect(oldSignal?.aborted).toBe(true);
  young.resolve("young");
  expect(await second).toBe("young");
  old.resolve("old");
  expect(await first).toBeUndefined();
  expect(task.busy).toBe(false);
});

test("errors of discarded work are ignored, others are not", async () => {
  const task = new Task();
  const [dropped, failing] = [later<string>(), later<string>()];
  const first = task.run(() => dropped.promise);
  task.drop();
  expect(task.busy).toBe(false);
  dropped.reject(new Error("late"));
  expect(await first).toBeUndefined();
  const second = task.run(() => failing.promise);
  failing.reject(new Error("heard"));
  await expect(second).rejects.toThrow("heard");
});
