import { expect, test } from "vitest";
import { endsOf, groupsOf, labelsOf, lettersOf, movesText, reversed, tilesOf } from "./moves.ts";

const board = [1, 2, 3, 4, 0, 6, 7, 5, 8];

test("counts are parsed and written", () => {
  expect(lettersOf("U2RD12L")).toBe("UUR" + "D".repeat(12) + "L");
  expect(groupsOf("UURDDDL")).toBe("U2RD3L");
});

test("a move is a letter, or a run of them", () => {
  expect(endsOf("UURD", "single")).toEqual([1, 2, 3, 4]);
  expect(endsOf("UURD", "multi")).toEqual([2, 3, 4]);
  expect(endsOf("", "multi")).toEqual([]);
});

test("moves in all notations", () => {
  const tiles = tilesOf(board, 3, "UL");
  expect(tiles).toEqual([5, 8]);
  expect(movesText("UL", [1, 2], tiles, "tile")).toBe("UL");
  expect(movesText("UL", [1, 2], tiles, "blank")).toBe("DR");
  expect(movesText("UL", [1, 2], tiles, "numbers")).toBe("5 8");
  expect(labelsOf("UUL", [2, 3], [5, 8, 1], "tile")).toEqual(["U2", "L"]);
  expect(labelsOf("UUL", [2, 3], [5, 8, 1], "numbers")).toEqual(["5 8", "1"]);
});

test("inverse moves", () => expect(reversed("UUL")).toBe("RDD"));
