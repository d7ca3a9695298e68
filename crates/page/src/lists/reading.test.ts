import { expect, test } from "vitest";
import { loadPuzzle } from "sliding-tile-pdb";
import { boardsIn, readList } from "./reading.ts";

const puzzle = await loadPuzzle();
const boards = async (text: string, size = "4x4") =>
  (await readList(puzzle, text, size)).map(({ board }) =>
    typeof board === "string" ? "" : board.board,
  );

test("a board per line in any notation, with comments", async () => {
  const text =
    "# Comments\n8 6 7/2 5 4/3 0 1\n\n6 4 7 8 5 0 3 2 1 # easy\n[[1,2],[3,0]]\n647850321\r\n" +
    "https://example.org/page/#3x2&board=1,2,3/4,0,5\n#2x2&board=3,1/2,0\n";
  expect(await boards(text)).toEqual([
    "8 6 7/2 5 4/3 0 1",
    "6 4 7/8 5 0/3 2 1",
    "1 2/3 0",
    "6 4 7/8 5 0/3 2 1",
    "1 2 3/4 0 5",
    "3 1/2 0",
  ]);
});

test("boards of several lines between blank lines", async () => {
  const text = "1 2 3\n4 0 6\n7 5 8\n\n+--+--+\n| 3| 1|\n+--+--+\n| 2|  |\n+--+--+\n\n1 2/3 0";
  expect(await boards(text)).toEqual(["1 2 3/4 0 6/7 5 8", "3 1/2 0", "1 2/3 0"]);
  const [, second] = await readList(puzzle, text, "4x4");
  expect(second.line).toBe(6);
});

test("an invalid line has its own error, and the others are parsed", async () => {
  const found = await readList(puzzle, "8 6 7/2 5 4/3 0 1\nhello\n1 1 2 0\n1 2/3 0", "4x4");
  expect(found.map(({ line }) => line)).toEqual([1, 2, 3, 4]);
  expect(found.map(({ board }) => typeof board)).toEqual(["object", "string", "string", "object"]);
  expect(found[1].board).toMatch(/hello/);
});

test("identifiers and known lengths", async () => {
  const read = async (text: string) => (await readList(puzzle, text, "4x4"))[0];
  const board = { board: "8 6 7/2 5 4/3 0 1" };
  expect(await read("8 6 7 2 5 4 3 0 1 31")).toMatchObject({ board, known: 31 });
  expect(await read("17 8 6 7 2 5 4 3 0 1 31")).toMatchObject({ board, known: 31 });
  expect(await read("8 6 7/2 5 4/3 0 1 31")).toMatchObject({ board, known: 31 });
  expect(await read("[[8,6,7],[2,5,4],[3,0,1]], 31")).toMatchObject({ board, known: 31 });
  expect((await read("8 6 7/2 5 4/3 0 1")).known).toBeUndefined();
  const korf = "1 14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3 57";
  expect(await read(korf)).toMatchObject({ board: { size: "4x4" }, known: 57 });
});

test("a line that is a board with and without its first number is an error", async () => {
  // Ten numbers, of which the first nine and the last nine are both boards.
  const [found] = await readList(puzzle, "8 6 7 2 5 4 3 0 1 8", "4x4");
  expect(found.board).toMatch(/after its first number/);
});

test("pieces of a long list, with a board over their border", async () => {
  const text = "# 1\n" + "1 2 3\n4 0 6\n7 5 8\n\n".repeat(300) + "hello\n#3x3&board=1,2,3\n";
  const found = await readList(puzzle, text, "4x4");
  expect(found.map(({ line }) => line)).toEqual([
    ...Array.from({ length: 300 }, (_, index) => 2 + 4 * index),
    1202,
    1203,
  ]);
  expect(found.filter(({ board }) => typeof board === "string").length).toBe(2);
});

test.each([
  ["8 6 7/2 5 4/3 0 1", 1],
  ["1 2 3\n4 0 6\n7 5 8", 1],
  ["8 6 7/2 5 4/3 0 1\n6 4 7/8 5 0/3 2 1", 2],
  ["1 2 3\n4 0 6\n7 5 8\n\n1 2\n3 0", 2],
  ["8 6 7/2 5 4/3 0 1\nhello\n6 4 7/8 5 0/3 2 1", 2],
  ["https://example.org/#2x2&board=3,1/2,0", 1],
  ["hello\nthere", 0],
  ["call me at 7", 0],
  ["https://example.org/1", 0],
  ["1 2 3\n4 0 6\n7 5 5", 0],
])("%j has %i boards", (text, boards) => {
  expect(boardsIn(puzzle, text, "4x4")).toBe(boards);
});
