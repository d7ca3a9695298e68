import { expect, test, vi } from "vitest";
import { timeText } from "./format.ts";
import { reloadWithVersion } from "./offline.ts";

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
