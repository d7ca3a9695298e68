import { expect, test } from "vitest";
import { read, write } from "./address.ts";
import { ordered, walk } from "./rules.ts";
import { seeded } from "./seeded.ts";

test("written addresses are parsed", () => {
  const random = seeded(1);
  for (const [columns, rows] of [
    [2, 2],
    [4, 4],
    [7, 3],
    [20, 20],
  ]) {
    const goal = walk(ordered(columns * rows), columns, 5, random);
    const address = { columns, rows, tiles: walk(goal, columns, 100, random), goal };
    expect(read(write(address))).toEqual(address);
  }
});

test("the default goal is omitted", () => {
  const tiles = [1, 2, 0, 3];
  expect(write({ columns: 2, rows: 2, tiles, goal: [1, 2, 3, 0] })).toBe("#2x2&board=1,2/0,3");
});

test("addresses by hand", () => {
  const tiles = [8, 6, 7, 2, 5, 4, 3, 0, 1];
  expect(read("")).toBeNull();
  expect(read("#")).toBeNull();
  expect(read("#5x3")).toEqual({ columns: 5, rows: 3 });
  expect(read("#size=5x3")).toEqual({ columns: 5, rows: 3 });
  expect(read("#board=8%206%207/2%205%204/3%200%201")).toEqual({ columns: 3, rows: 3, tiles });
  expect(read("#3x3&board=8+6+7+2+5+4+3+0+1")).toEqual({ columns: 3, rows: 3, tiles });
});

test.each([
  ["#hello", /"hello" in place of a size such as 4x4/],
  ["#99x99", /from 2x2 to 20x20/],
  ["#1x5", /from 2x2 to 20x20/],
  ["#3x3&board=1,2,3", /there are 3/],
  ["#3x3&board=1,2,3/4,5,6/7,8,8", /8 appears twice/],
  ["#3x3&board=1,2,3/4,5,6/7,8,9", /"9" is none of them/],
  ["#3x3&board=1,2,3/4,5,6/7,8,x", /"x" is none of them/],
  ["#3x3&board=%E0%A4%A", /damaged/],
  ["#board=", /no size/],
  ["#2x2&board=1,2,3,0&goal=1,1,1,1", /goal.*damaged/],
])("%s is refused with a sentence", (hash, words) => {
  expect(() => read(hash)).toThrow(words);
});
