import { expect, test } from "vitest";
import { loadPuzzle } from "sliding-tile-pdb";
import { type Fault, faultText, isFault, readMoves } from "./entered.ts";
import { packMoves, unpackMoves } from "./address.ts";
import { ordered } from "sliding-tile-pdb/board-rules";
import { seeded } from "../tests/solver.ts";

const puzzle = await loadPuzzle();
const board = [5, 10, 14, 7, 8, 3, 6, 1, 15, 0, 12, 9, 2, 11, 4, 13];
const read = (text: string, letters?: "auto" | "tile" | "blank") =>
  readMoves(puzzle, text, board, 4, ordered(16), letters);

test.each([
  ["", ""],
  ["DRU", "DRU"],
  ["d r, u\n", "DRU"],
  ["D2U2", "DDUU"],
  ["D 2 U", "DDU"],
  ["D2RU0", "DDR"],
  ["↓→", "DR"],
  ["⬇\ufe0f2 ⬆", "DDU"],
  ["down, right, up", "DRU"],
  ['["D", "Right"]', "DR"],
  ["[3, 10, 5]", "DDR"],
  ["\uff24\uff12", "DD"],
  ["\uff242", "DD"],
  ["3 10 5", "DDR"],
  ["\uff13 \uff11\uff10 \uff15", "DDR"],
  ["3, 10,5\n", "DDR"],
])("%j is read as %s", (text, letters) => {
  expect(read(text)).toMatchObject({ letters });
});

test("letters name the tile or the blank, whichever is possible or solves the board", () => {
  // `U2` is impossible as moves of tiles, but possible as moves of the blank.
  expect(read("U2")).toMatchObject({ letters: "DD", notation: "blank" });
  expect(read("U2", "tile")).toMatchObject({ reason: "edge" });
  expect(read("U")).toMatchObject({ letters: "U", notation: "tile" });
  // If both readings are possible, the reading that solves the board is chosen.
  const goal = ordered(9);
  expect(readMoves(puzzle, "RD", [1, 2, 3, 4, 0, 5, 7, 8, 6], 3, goal)).toMatchObject({
    letters: "LU",
    notation: "blank",
  });
  expect(readMoves(puzzle, "LU", [1, 2, 3, 4, 0, 5, 7, 8, 6], 3, goal)).toMatchObject({
    letters: "LU",
    notation: "tile",
  });
});

test.each([
  ["X", "unknown", 1, /Move 1: "X" is not a move/],
  ["D?", "unknown", 2, /Move 2: "\?"/],
  ["DD3", "edge", 3, /Move 3, "D3", is not possible.*row 1 column 2.*above it/],
  ["3 4", "apart", 2, /tile 4 is at row 4 column 3, not beside the blank at row 2 column 2/],
  ["99", "apart", 1, /a 4x4 board has no tile 99/],
  ["3 0", "apart", 2, /0 is the blank/],
  ["3-10", "unknown", 1, /"3-10"/],
  ["averylongwordthatis, U", "unknown", 1, /"averylongwor…"/],
  ["3 1-2-3-4-5-6-7-8-9", "unknown", 2, /"1-2-3-4-5-6-…"/],
  ["D9999999", "count", 1, /too large a count/],
])("%j: %s at move %i", (text, reason, number, words) => {
  const fault = read(text, "tile") as Fault;
  expect(fault).toMatchObject({ reason, number });
  expect(isFault(fault)).toBe(true);
  expect(text.slice(fault.start, fault.end)).toBe(fault.sign);
  expect(faultText(fault, 4)).toMatch(words);
});

test("the tiles beside the blank are those of the board at that moment", () => {
  expect(faultText(read("D3", "tile") as Fault, 4)).toContain("Beside the blank: 10, 14, 5.");
  expect(faultText(read("RR", "tile") as Fault, 4)).toContain("Beside the blank: 2, 8, 15.");
});

test("moves of any length are packed and unpacked", () => {
  const random = seeded(3);
  for (const length of [0, 1, 2, 299, 300, 301, 1000, 1001, 1002]) {
    const letters = Array.from({ length }, () => "UDLR"[Math.floor(4 * random())]).join("");
    const packed = packMoves(letters);
    const counted = packed.replace(/(.)(\d+)/g, (_, way: string, count: string) =>
      way.repeat(Number(count)),
    );
    expect(unpackMoves(packed) ?? counted).toBe(letters);
    expect(packed).toMatch(/^[\w.-]*$/);
  }
});

test("truncated packed moves are rejected", () => {
  const packed = packMoves("UDLR".repeat(200));
  expect(() => unpackMoves(packed.slice(0, 100))).toThrow(/cut off: it had 800 moves/);
});
