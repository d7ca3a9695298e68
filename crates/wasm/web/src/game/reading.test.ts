import { expect, test } from "vitest";
import { loadPuzzle } from "sliding-tile-pdb";
import { looksLikeBoard, readBoard } from "./reading.ts";

const puzzle = await loadPuzzle();

test.each([
  ["8 6 7/2 5 4/3 0 1", "3x3"],
  ["8 6 7 2 5 4 3 0 1", "3x3"],
  ["[[1, 2], [3, 0]]", "2x2"],
  ["array([[8, 6, 7],\n       [2, 5, 4],\n       [3, 0, 1]], dtype=int32)", "3x3"],
  ["((1, 2, 3), (4, -1, 6), (7, 5, 8))", "3x3"],
  ["647850321", "3x3"],
  ["647/850/321", "3x3"],
  ["FE169B4C0A73D852", "4x4"],
  ["5 A E 7/8 3 6 1/F 0 C 9/2 B 4 D", "4x4"],
  ["1 2 3\n4 * 6\n7 5 8", "3x3"],
  ["1 2 3/4 B 6/7 5 8", "3x3"],
  ["[[1, 2, 3], [4, -1, 6], [7, 5, 8]]", "3x3"],
  ["1️⃣ 2️⃣\n3️⃣ 0️⃣", "2x2"],
  ["1️⃣2️⃣\n3️⃣0️⃣", "2x2"],
  ["\uff11 \uff12/\uff13 \uff10", "2x2"],
  ["1,2,3\n4,6,7\n8,5,", "3x3"],
  ["1,2,3\n4,,6\n7,5,8", "3x3"],
  ["https://example.org/page/#3x2&board=1,2,3/4,0,5", "3x2"],
  ["see #2x2&board=3%2C1%2F2%2C0&goal=0,1/2,3", "2x2"],
  ["see #2x2&board=3,1/2,0", "2x2"],
  ["https://example.org/#3x2&board=1,2,3,4,0,5&moves=L", "3x2"],
  ["[[6, 4, 7], [8, 5, None], [3, 2, 1]]", "3x3"],
  ["[[6,4,7],[8,5,null],[3,2,1]]", "3x3"],
  ["array([[6., 4., 7.],\n       [8., 5., 0.],\n       [3., 2., 1.]])", "3x3"],
  ["1 2 3\n4 5 6\n7 8 ⬜", "3x3"],
  ["1\t2\t3\n4\t5\t6\n7\t8\t", "3x3"],
  ["1\t2\t3\n4\t5\t6\n\t7\t8", "3x3"],
  ["1;2;3\n4;5;6\n7;8;", "3x3"],
  ['"1","2","3"\n"4","5","6"\n"7","8",""', "3x3"],
  ["12345678_", "3x3"],
  ["123/456/78x", "3x3"],
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

test("an invalid board in a link has its own message", () => {
  expect(readBoard(puzzle, "https://example.org/#4x4&board=1,2,3", "4x4")).not.toContain("#4x4");
});

test("too many numbers: the largest size is named", () => {
  const text = Array.from({ length: 441 }, (_, number) => number).join(" ");
  expect(readBoard(puzzle, text, "4x4")).toBe(
    "These are 441 numbers; the largest board here is 20x20.",
  );
});

test.each([
  ["8 6 7/2 5 4/3 0 1", true],
  ["1️⃣ 2️⃣ 3️⃣ 0️⃣", true],
  ["array([[3, 1], [2, 0]])", true],
  ["https://example.org/#2x2&board=3,1/2,0", true],
  ["call me at 7", false],
  ["https://example.org/1", false],
])("pasted onto the page, %j is a board: %j", (text, isBoard) => {
  expect(looksLikeBoard(text)).toBe(isBoard);
});
