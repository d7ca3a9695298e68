import { expect, test } from "vitest";
import { loadPuzzle } from "sliding-tile-pdb";
import { readBoard } from "./reading.ts";

const puzzle = await loadPuzzle();

test.each([
  ["8 6 7/2 5 4/3 0 1", "3x3"],
  ["8 6 7 2 5 4 3 0 1", "3x3"],
  ["[[1, 2], [3, 0]]", "2x2"],
  // Twelve numbers in a row: the size of the present board.
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
