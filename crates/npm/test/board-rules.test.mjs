// The rules of the board element, which pages can use without WebAssembly.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as rules from "../dist/board/rules.js";

/** Random numbers from 0 to 1, the same in every run (Lehmer). */
function seeded(state) {
  return () => (state = (state * 16807) % 2147483647) / 2147483647;
}

const sizes = [
  [2, 2],
  [3, 3],
  [5, 3],
  [2, 7],
  [20, 20],
];

for (const [columns, rows] of sizes)
  describe(`${columns} columns, ${rows} rows`, () => {
    const cells = columns * rows;
    const random = seeded(columns * 100 + rows);
    const goal = rules.ordered(cells);

    test("a walk and its reversal restore the board", () => {
      const tiles = rules.walk(goal, columns, 200, random);
      assert.ok(rules.isBoard(tiles, cells));
      const made = [];
      const walked = [...tiles];
      for (let count = 0; count < 300; count++) {
        const open = rules.ways(walked, columns);
        const way = open[Math.floor(random() * open.length)];
        assert.ok(rules.move(walked, way, columns));
        made.push(way);
      }
      for (const way of made.reverse()) {
        assert.ok(rules.move(walked, rules.back[way], columns));
      }
      assert.deepEqual(walked, tiles);
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
        assert.equal(moves.length > 0, isInLine);
        const moved = [...tiles];
        for (const way of moves) assert.ok(rules.move(moved, way, columns));
        assert.equal(moved[cell], isInLine ? 0 : tiles[cell]);
        // Only the tiles of the line have moved.
        const line = new Set(rules.lineCells(tiles, cell, columns).map((at) => tiles[at]));
        const changed = tiles.filter((tile, at) => tile !== 0 && moved[at] !== tile);
        assert.deepEqual(new Set(changed), line);
      }
    });

    test("moves off the board change nothing", () => {
      for (let cell = 0; cell < cells; cell++) {
        const tiles = rules.swapped(goal, 0, goal[cell]);
        const open = rules.ways(tiles, columns);
        for (const way of "UDLR") {
          const moved = [...tiles];
          assert.equal(rules.move(moved, way, columns), open.includes(way));
          if (!open.includes(way)) assert.deepEqual(moved, tiles);
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
  assert.equal([[1, 2, 3, 0], ...wrong].filter((tiles) => rules.isBoard(tiles, 4)).length, 1);
});

describe("random boards", () => {
  test("all boards of 2x2 except the goal occur equally often", () => {
    const random = seeded(3);
    const goal = [3, 1, 0, 2];
    const counts = new Map();
    for (let count = 0; count < 11_000; count++) {
      const text = rules.boardText(rules.uniform(goal, 2, random), 2);
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
    assert.equal(counts.size, 11);
    assert.ok(!counts.has(rules.boardText(goal, 2)));
    for (const count of counts.values()) assert.ok(Math.abs(count - 1000) < 150);
  });

  for (const [columns, rows] of sizes)
    test(`of ${columns}x${rows} can be solved`, () => {
      const random = seeded(9);
      const goal = rules.walk(rules.ordered(columns * rows), columns, 25, random);
      for (let count = 0; count < 50; count++) {
        const tiles = rules.uniform(goal, columns, random);
        assert.ok(rules.isBoard(tiles, columns * rows));
        assert.ok(rules.isReachable(tiles, goal, columns));
        const [one, other] = tiles.filter(Boolean);
        assert.ok(!rules.isReachable(rules.swapped(tiles, one, other), goal, columns));
      }
    });
});
