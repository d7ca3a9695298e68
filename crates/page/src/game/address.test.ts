import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Board, loadPuzzle } from "sliding-tile-pdb";
import { goalIn, read, readBoard, write } from "./address.ts";
import { ordered, walk } from "sliding-tile-pdb/board-rules";
import { seeded } from "../tests/solver.ts";

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

const puzzle = await loadPuzzle();

test.each([
  ["8 6 7/2 5 4/3 0 1", "3x3"],
  ["https://example.org/page/#3x2&board=1,2,3/4,0,5", "3x2"],
  ["see #2x2&board=3%2C1%2F2%2C0&goal=0,1/2,3", "2x2"],
  ["https://example.org/#3x2&board=1,2,3,4,0,5&moves=L", "3x2"],
  // Twelve numbers in one row are a board of the current size.
  ["1 2 3 4 5 6 7 8 9 10 11 0", "4x3"],
])("%j is read", (text, size) => {
  expect(readBoard(puzzle, text, size)).toMatchObject({ size });
});

test.each(["1 2 3/4 5 6/7 0", "hello there", "1 1 2 0", "1 2 3", "   "])(
  "%j is answered by sentences with an example",
  (text) => {
    const answer = readBoard(puzzle, text, "3x3");
    expect(answer).toMatch(/^["A-Z\d].*8 6 7\/2 5 4\/3 0 1\.$/s);
    expect(answer).not.toContain("`");
  },
);

test("an invalid board in a link has its own message; sizes have limits", () => {
  expect(readBoard(puzzle, "https://example.org/#4x4&board=1,2,3", "4x4")).not.toContain("#4x4");
  expect(readBoard(puzzle, "1/2/3/0/4,5", "4x4")).toMatch(/looks like this/);
  expect(readBoard(puzzle, "[[1, 2, 0]]", "4x4")).toMatch(/looks like this|boards here are/);
});

test("the goal that a text states", () => {
  const found = readBoard(puzzle, '{"board": [1, 0, 2, 3], "goal": "snail"}', "4x4");
  expect(goalIn(found as Board)).toEqual([1, 2, 0, 3]);
  expect(goalIn(puzzle.parse("1 2/3 0"))).toBeUndefined();
});

interface Case {
  text: string;
  boards: string[];
}
const cases = readFileSync(
  new URL("../../../../data/wild/boards_as_written.jsonl", import.meta.url),
  "utf8",
);

test.each(
  cases
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Case),
)("$text as written", ({ text, boards }) => {
  const found = readBoard(puzzle, text, "4x4");
  if (boards.length === 1) expect(found).toMatchObject({ board: boards[0] });
  else expect(found).toMatch(/A board looks like this/);
});
