import { describe, expect, test } from "vitest";
import * as rules from "sliding-tile-pdb/board-rules";
import { seeded } from "../tests/solver.ts";

const sizes = [
  [2, 2],
  [3, 3],
  [5, 3],
  [2, 7],
  [20, 20],
] as const;

describe.each(sizes)("%i columns, %i rows", (columns, rows) => {
  const cells = columns * rows;
  const random = seeded(columns * 100 + rows);
  const goal = rules.ordered(cells);

  test("a walk and its reversal restore the board", () => {
    const tiles = rules.walk(goal, columns, 200, random);
    expect(rules.isBoard(tiles, cells)).toBe(true);
    const made: rules.Way[] = [];
    const walked = [...tiles];
    for (let count = 0; count < 300; count++) {
      const open = rules.ways(walked, columns);
      const way = open[Math.floor(random() * open.length)];
      expect(rules.move(walked, way, columns)).toBe(true);
      made.push(way);
    }
    for (const way of made.reverse()) {
      expect(rules.move(walked, rules.back[way], columns)).toBe(true);
    }
    expect(walked).toEqual(tiles);
  });

  test("a line that slides counts as its single moves, and ends with the blank on its cell", () => {
    const tiles = rules.walk(goal, columns, 200, random);
    for (let cell = 0; cell < cells; cell++) {
      const blank = tiles.indexOf(0);
      const isInLine =
        cell !== blank &&
        (cell % columns === blank % columns ||
          Math.floor(cell / columns) === Math.floor(blank / columns));
      const moves = rules.line(tiles, cell, columns);
      expect(moves.length > 0).toBe(isInLine);
      const moved = [...tiles];
      for (const way of moves) expect(rules.move(moved, way, columns)).toBe(true);
      expect(moved[cell]).toBe(isInLine ? 0 : tiles[cell]);
      // Only the tiles of the line have moved.
      const line = new Set(rules.lineCells(tiles, cell, columns).map((at) => tiles[at]));
      const changed = tiles.filter((tile, at) => tile !== 0 && moved[at] !== tile);
      expect(new Set(changed)).toEqual(line);
    }
  });

  test("moves off the board change nothing", () => {
    for (let cell = 0; cell < cells; cell++) {
      const tiles = rules.swapped(goal, 0, goal[cell]);
      const open = rules.ways(tiles, columns);
      for (const way of ["U", "D", "L", "R"] as const) {
        const moved = [...tiles];
        expect(rules.move(moved, way, columns)).toBe(open.includes(way));
        if (!open.includes(way)) expect(moved).toEqual(tiles);
      }
    }
  });
});

test("boards are the numbers from 0, each once", () => {
  const wrong = [
    [1, 2, 3, 3],
    [1, 2, 3, 4],
    [1, 2, 0],
    [1, 2, 0.5, 0],
  ];
  expect([[1, 2, 3, 0], ...wrong].filter((tiles) => rules.isBoard(tiles, 4))).toHaveLength(1);
});

describe("random boards", () => {
  test("all boards of 2x2 except the goal occur equally often", () => {
    const random = seeded(3);
    const goal = [3, 1, 0, 2];
    const counts = new Map<string, number>();
    for (let count = 0; count < 11_000; count++) {
      const text = rules.boardText(rules.uniform(goal, 2, random), 2);
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
    expect(counts.size).toBe(11);
    expect(counts.has(rules.boardText(goal, 2))).toBe(false);
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });

  test.each(sizes)("of %i columns and %i rows can be solved", (columns, rows) => {
    const random = seeded(9);
    const goal = rules.walk(rules.ordered(columns * rows), columns, 25, random);
    for (let count = 0; count < 50; count++) {
      const tiles = rules.uniform(goal, columns, random);
      expect(rules.isBoard(tiles, columns * rows)).toBe(true);
      expect(rules.isReachable(tiles, goal, columns)).toBe(true);
      const [one, other] = tiles.filter(Boolean);
      expect(rules.isReachable(rules.swapped(tiles, one, other), goal, columns)).toBe(false);
    }
  });
});
