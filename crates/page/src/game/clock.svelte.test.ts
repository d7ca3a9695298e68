import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Clock, clockText } from "./clock.svelte.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
  vi.stubGlobal("document", { hidden: false, addEventListener: () => undefined });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("times with hundredths and thousandths, never rounded up", () => {
  expect(clockText(7_129.9)).toBe("0:07");
  expect(clockText(7_129.9, 2)).toBe("0:07.12");
  expect(clockText(7_009.9, 3)).toBe("0:07.009");
  expect(clockText(59_999.9, 3)).toBe("0:59.999");
  expect(clockText(3_723_004, 3)).toBe("1:02:03.004");
});

test("the time is exact whenever it is read, and adds up over stops", () => {
  const clock = new Clock();
  clock.run();
  vi.advanceTimersByTime(123);
  expect(clock.elapsed).toBe(123);
  clock.stop();
  vi.advanceTimersByTime(1000);
  clock.run();
  vi.advanceTimersByTime(7);
  expect(clock.elapsed).toBe(130);
  clock.reset();
  expect([clock.elapsed, clock.isRunning]).toEqual([0, false]);
});

test("a move, a stop or a new game ends the inspection", () => {
  const clock = new Clock();
  clock.inspect(15_000);
  vi.advanceTimersByTime(5000);
  clock.run();
  vi.advanceTimersByTime(20_000);
  expect([clock.isInspecting, clock.elapsed]).toEqual([false, 20_000]);
  clock.reset();
  clock.inspect(15_000);
  clock.reset();
  vi.advanceTimersByTime(20_000);
  expect([clock.isRunning, clock.elapsed]).toEqual([false, 0]);
});
