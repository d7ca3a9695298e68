// Solves boards with packed tables. This program is the example of docs/format.md, "Using the
// tables". It is a simple IDA* search with one look-up per move and view. It prunes only the move
// that undoes the previous move.
//
//   pdb-gen pack --out PACKED
//   node solve_board.mjs PACKED "5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13"
//
// PACKED is a manifest.json, its directory, or a file of `pdb-gen pack --single`. The tables must
// be zero-aware with one-bit encoding, and each partition must contain all tiles.
//
// As a module: `new Search(width, height, goal, views, tables)` creates a search. `views` in
// read_table.mjs computes the views; `tables` maps file names to tables. `solve(board)` returns the
// moves of the blank and the number of generated nodes.

import { Table, binomial, cellsOf, distance, entryOfBoard, isOdd, views } from "./read_table.mjs";
import { ensure, runCommand } from "./table_bytes.mjs";
import { openPacked, partitionsOf, unpackListed } from "./unpack_table.mjs";

/** The rows of a table, indexed by shape number and blank cell, for fast look-ups. */
function rowsByBlank(table) {
  const rows = new Int32Array(table.shapes.length * table.cells);
  table.shapes.forEach((shape, number) => {
    table.classes(shape).forEach((blanks, class_) => {
      for (const blank of cellsOf(blanks)) {
        rows[number * table.cells + blank] = table.firstRows[number] + class_;
      }
    });
  });
  return rows;
}

const OPPOSITE = { U: "D", D: "U", L: "R", R: "L" };

/** The current cells and value of a pattern's tiles, in the orientation of its table. */
class Placement {
  constructor(goal, part, table, rows) {
    Object.assign(this, { goal, part, table, rows, symmetry: part.symmetry });
    // Maps the number on a tile to the tile's index in the permutations of the table.
    this.tileOf = new Map(part.cells.map((cell) =>
      [goal[cell], table.goalCells.indexOf(part.symmetry[cell])]));
    this.tileAt = new Int8Array(table.cells);
  }

  /** Sets the cells and the value to those of a board. */
  begin(board) {
    const value = this.table.value(entryOfBoard(board, this.goal, this.part, this.table));
    ensure(value !== null, "the goal cannot be reached");
    this.value = value;
    this.shape = 0;
    board.forEach((number, cell) => {
      const tile = this.tileOf.get(number);
      if (tile === undefined) return;
      this.tileAt[this.symmetry[cell]] = tile;
      this.shape |= 1 << this.symmetry[cell];
    });
  }

  /** Moves a tile without updating the value. */
  slide(from, to) {
    const [source, target] = [this.symmetry[from], this.symmetry[to]];
    this.tileAt[target] = this.tileAt[source];
    this.shape = (this.shape & ~(1 << source)) | (1 << target);
  }

  /** Updates the value after a move of one of the tiles. The new value is one more or one less than
   * the old value. These two candidates differ in bit 1, which the table stores. */
  readValue(blank) {
    let [shapeNumber, rank, used, position] = [0, 0, 0, 0];
    for (let rest = this.shape; rest; rest &= rest - 1, position++) {
      const cell = 31 - Math.clz32(rest & -rest);
      shapeNumber += binomial(cell, position + 1);
      const tile = this.tileAt[cell];
      let smaller = tile;
      for (let bits = used & ((1 << tile) - 1); bits; bits &= bits - 1) smaller--;
      used |= 1 << tile;
      rank = rank * (this.table.k - position) + smaller;
    }
    const row = this.rows[shapeNumber * this.table.cells + this.symmetry[blank]];
    const bit = this.table.code(row * this.table.rowLength + rank);
    const higher = this.value + 1;
    this.value = ((higher >> 1) & 1) === bit ? higher : this.value - 1;
  }
}

/** A search for shortest solutions. Moves of the blank are tried in the order of `directions`. */
export class Search {
  constructor(width, height, goal, all, tables, directions = "ULRD") {
    this.goal = goal;
    // For each cell, the possible directions of the blank with their target cells.
    this.ways = goal.map((_, cell) => {
      const [x, y] = [cell % width, Math.floor(cell / width)];
      const inside = { U: y > 0, D: y < height - 1, L: x > 0, R: x < width - 1 };
      const step = { U: -width, D: width, L: -1, R: 1 };
      const possible = [...directions].filter((direction) => inside[direction]);
      return possible.map((direction) => ({ direction, cell: cell + step[direction] }));
    });
    const rows = new Map([...tables].map(([name, table]) => [name, rowsByBlank(table)]));
    this.views = all.map(({ parts }) => parts.map((part) => {
      const table = tables.get(part.name);
      ensure(table?.encoding === "one-bit", `${part.name} is not a one-bit table`);
      return new Placement(goal, part, table, rows.get(part.name));
    }));
    // For each view and tile number, the placement that contains the tile.
    this.owners = this.views.map((view) => goal.map((_, number) =>
      view.find((placement) => placement.tileOf.has(number))));
    const isOwned = this.owners.every((owners) => owners.slice(1).every(Boolean));
    ensure(isOwned, "a partition does not contain all tiles");
  }

  solve(start) {
    this.board = start.slice();
    this.generated = 0;
    for (const placement of this.views.flat()) placement.begin(start);
    const sums = this.views.map((view) => view.reduce((sum, { value }) => sum + value, 0));
    const path = [];
    // The length of every solution has the same parity as the sums, so the bound grows by 2.
    for (let bound = Math.max(...sums); ; bound += 2) {
      if (this.search(start.indexOf(0), bound, sums, path)) break;
    }
    return { moves: path.join(""), generated: this.generated };
  }

  /** Searches for a solution of exactly `bound` moves. The caller ensures that no sum exceeds the
   * bound. */
  search(blank, bound, sums, path) {
    if (bound === 0) return this.goal.every((number, cell) => number === this.board[cell]);
    const undoing = OPPOSITE[path[path.length - 1]];
    for (const { direction, cell } of this.ways[blank]) {
      if (direction === undoing) continue;
      this.generated++;
      const number = this.board[cell];
      const moved = this.owners.map((owners) => owners[number]);
      const before = moved.map(({ value }) => value);
      for (const placement of moved) {
        placement.slide(cell, blank);
        placement.readValue(cell);
      }
      const after = sums.map((sum, view) => sum + moved[view].value - before[view]);
      this.board[blank] = number;
      this.board[cell] = 0;
      path.push(direction);
      const isSolved = Math.max(...after) < bound && this.search(cell, bound - 1, after, path);
      if (isSolved) return true;
      path.pop();
      this.board[cell] = number;
      this.board[blank] = 0;
      moved.forEach((placement, view) => {
        placement.slide(blank, cell);
        placement.value = before[view];
      });
    }
    return false;
  }
}

async function main([path, text, ...more]) {
  ensure(text && more.length === 0, "usage: node solve_board.mjs PACKED BOARD");
  const { manifest, tables: packed } = await openPacked(path);
  ensure(manifest, "a single packed table: a search needs the tables of a manifest");
  const [width, height] = manifest.tray.split("x").map(Number);
  const board = text.trim().split(/[\s/]+/).map(Number);
  const isBoard = board.length === manifest.goal.length &&
    manifest.goal.every((number) => board.includes(number));
  ensure(isBoard, `"${text}" is not a ${manifest.tray} board`);
  // Each move changes the parity of the permutation and the parity of the blank's distance from its
  // goal cell. A board is solvable if the two parities are equal.
  const steps = distance(board.indexOf(0), manifest.goal.indexOf(0), width);
  const isOddBoard = isOdd(board.map((number) => manifest.goal.indexOf(number)));
  ensure(Number(isOddBoard) === steps % 2, `"${text}" has no solution`);
  const unpacked = manifest.tables.map((listed, number) => unpackListed(listed, packed[number]));
  const tables = new Map(unpacked.map((bytes) => new Table(bytes)).map((t) => [t.name, t]));
  const all = views(width, height, manifest.goal, partitionsOf(manifest));
  const { moves, generated } = new Search(width, height, manifest.goal, all, tables).solve(board);
  console.log(`${moves.length} moves of the blank: ${moves || "-"}`);
  console.log(`${generated} nodes`);
}

await runCommand(import.meta.url, main);
