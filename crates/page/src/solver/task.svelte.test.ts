import { expect, test } from "vitest";
import { Task } from "./task.svelte.ts";

function later<T>(): {
  promise: Promise<T>;
  resolve: (value: T) => void;
  reject: (e: Error) => void;
} {
  let resolve: (value: T) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<T>((yes, no) => ([resolve, reject] = [yes, no]));
  return { promise, resolve, reject };
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
