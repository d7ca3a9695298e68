// An independent implementation of the rules: it shares no code with the page or the package, so
// that it can judge both.
import assert from "node:assert/strict";

/** Numbers in reading order, 0 for the blank: `1 2/3 0`, also with commas. */
export const read = (text) => text.split(/[ ,/]+/).map(Number);

export function write(tiles, columns) {
  const rows = [];
  for (let cell = 0; cell < tiles.length; cell += columns) {
    rows.push(tiles.slice(cell, cell + columns).join(" "));
  }
  return rows.join("/");
}

/** A board of 55 moves. */
export const known = read("5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13");

/** The board with tiles 1 and 2 exchanged, which makes it solvable or unsolvable. */
export const exchanged = (tiles) => tiles.map((tile) => ({ 1: 2, 2: 1 })[tile] ?? tile);

/** A board whose search takes minutes with 6-6-3. */
export const hard = "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1";

/** The address of a board. */
export const address = (tiles, columns) =>
  `#${columns}x${tiles.length / columns}&board=${write(tiles, columns).replaceAll(" ", ",")}`;

/** The ordered board, with the blank last. */
export const ordered = (cells) => [...Array(cells - 1).keys()].map((i) => i + 1).concat(0);

const steps = { U: [0, 1], D: [0, -1], L: [1, 0], R: [-1, 0] };

/** The cell of the tile that moves in the direction of a letter; -1 if there is no such tile. */
function mover(blank, letter, columns, cells) {
  const [dx, dy] = steps[letter];
  const [x, y] = [(blank % columns) + dx, Math.floor(blank / columns) + dy];
  return x < 0 || y < 0 || x >= columns || y >= cells / columns ? -1 : y * columns + x;
}

/** The letters of the possible moves. */
export const possible = (tiles, columns) =>
  [..."UDLR"].filter((way) => mover(tiles.indexOf(0), way, columns, tiles.length) >= 0);

/** The board after moves such as `U2RD`. */
export function replay(board, columns, moves) {
  assert.match(moves, /^([UDLR]\d*)*$/, "moves in letters");
  const tiles = [...board];
  for (const [, letter, count] of moves.matchAll(/([UDLR])(\d*)/g)) {
    for (let i = 0; i < Number(count || 1); i++) {
      const blank = tiles.indexOf(0);
      const from = mover(blank, letter, columns, tiles.length);
      assert.notEqual(from, -1, `${moves}: ${letter} leaves the frame`);
      [tiles[blank], tiles[from]] = [tiles[from], 0];
    }
  }
  return tiles;
}

/** Number of single moves. */
export const count = (moves) =>
  [...moves.matchAll(/[UDLR](\d*)/g)].reduce((sum, [, n]) => sum + Number(n || 1), 0);

/** The board after a list of moves. Each move is written as the number of the moved tile. */
export function replayNumbers(board, columns, moves) {
  const tiles = [...board];
  for (const number of moves.match(/\d+/g).map(Number)) {
    const [from, blank] = [tiles.indexOf(number), tiles.indexOf(0)];
    const dx = Math.abs((from % columns) - (blank % columns));
    const dy = Math.abs(Math.floor(from / columns) - Math.floor(blank / columns));
    assert.equal(dx + dy, 1, `tile ${number} is not next to the blank`);
    [tiles[blank], tiles[from]] = [number, 0];
  }
  return tiles;
}

/** Whether the goal is reachable: the swaps and the blank's path must have the same parity. */
export function isSolvable(board, goal, columns) {
  const where = new Map(goal.map((tile, cell) => [tile, cell]));
  const order = board.map((tile) => where.get(tile));
  let swaps = 0;
  for (let cell = 0; cell < order.length; cell++) {
    while (order[cell] !== cell) {
      const to = order[cell];
      [order[cell], order[to]] = [order[to], to];
      swaps++;
    }
  }
  const [a, b] = [board.indexOf(0), goal.indexOf(0)];
  const way =
    Math.abs((a % columns) - (b % columns)) +
    Math.abs(Math.floor(a / columns) - Math.floor(b / columns));
  return swaps % 2 === way % 2;
}

/** Random numbers from 0 to 1, the same in every run (mulberry32). */
export function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A uniformly random solvable board. */
export function random(columns, rows, seed) {
  const next = seeded(seed);
  const tiles = ordered(columns * rows);
  for (let i = tiles.length - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1));
    [tiles[i], tiles[j]] = [tiles[j], tiles[i]];
  }
  if (!isSolvable(tiles, ordered(tiles.length), columns)) {
    const [a, b] = [tiles.indexOf(1), tiles.indexOf(2)];
    [tiles[a], tiles[b]] = [2, 1];
  }
  return tiles;
}

/**
 * For a small tray: distance of each board from the goal, and its number of shortest solutions.
 * `isMulti`: a move slides a run of tiles.
 */
export function distances(goal, columns, { isMulti = false } = {}) {
  const found = new Map([[goal.join(" "), { distance: 0, ways: 1 }]]);
  let layer = [goal];
  for (let distance = 1; layer.length > 0; distance++) {
    const next = [];
    for (const board of layer) {
      const { ways } = found.get(board.join(" "));
      for (const letter of "UDLR") {
        const tiles = [...board];
        for (;;) {
          const blank = tiles.indexOf(0);
          const from = mover(blank, letter, columns, tiles.length);
          if (from < 0) break;
          [tiles[blank], tiles[from]] = [tiles[from], 0];
          const key = tiles.join(" ");
          const known = found.get(key);
          if (known === undefined) {
            found.set(key, { distance, ways });
            next.push([...tiles]);
          } else if (known.distance === distance) known.ways += ways;
          if (!isMulti) break;
        }
      }
    }
    layer = next;
  }
  return found;
}

let table3x3;

/** The distance of a 3x3 board from its goal. */
export const far3x3 = (tiles) =>
  (table3x3 ??= distances(ordered(9), 3)).get(tiles.join(" ")).distance;

/** The possible moves of a 3x3 board: those that lead closer to the goal and those that do not. */
export function ways(tiles) {
  const sorted = { good: [], bad: [] };
  for (const way of possible(tiles, 3)) {
    sorted[far3x3(replay(tiles, 3, way)) < far3x3(tiles) ? "good" : "bad"].push(way);
  }
  return sorted;
}
