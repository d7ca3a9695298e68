import { loadPuzzle } from "sliding-tile-pdb";
import { expect, test } from "vitest";
import { defaultPartition, NO_TABLES, presets } from "./choice.ts";
import { isCancelled, pageError, sentence } from "./error.ts";
import { Task } from "./task.svelte.ts";

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
