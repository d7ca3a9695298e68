import { expect, test } from "vitest";
import { timeText } from "./format.ts";

test.each([
  [0.04, "0.1 ms"],
  [999, "999 ms"],
  [3400, "3.4 s"],
  [125_000, "2 min 5 s"],
  [180_000, "3 min"],
])("a time of %d ms", (ms, words) => expect(timeText(ms)).toBe(words));
