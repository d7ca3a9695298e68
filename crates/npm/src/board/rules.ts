/**
 * Moves of boards without WebAssembly, for boards that are drawn before anything else is loaded. A
 * board is its numbers in reading order, 0 for the blank. Only `move` changes its arguments.
 */

/** Direction of a tile. */
export type Way = "U" | "D" | "L" | "R";

export const back: Record<Way, Way> = { U: "D", D: "U", L: "R", R: "L" };

export const smallest = 2;
export const largest = 20;

export const isSide = (side: number): boolean =>
  Number.isInteger(side) && side >= smallest && side <= largest;

/** The numbers 1, 2, 3, ..., then 0 for the blank. */
export const ordered = (cells: number): number[] =>
  Array.from({ length: cells }, (_, cell) => (cell + 1) % cells);

/** Whether the numbers are 0, 1, 2, ... in any order, each once. */
export function isBoard(tiles: readonly number[], cells: number): boolean {
  return (
    tiles.length === cells &&
    new Set(tiles).size === cells &&
    tiles.every((tile) => Number.isInteger(tile) && tile >= 0 && tile < cells)
  );
}

export const isSame = (one: readonly number[], other: readonly number[]): boolean =>
  one.length === other.length && one.every((tile, cell) => tile === other[cell]);

/** The cell of each tile. */
export function cellsOf(tiles: readonly number[]): number[] {
  const cells = new Array<number>(tiles.length);
  tiles.forEach((tile, cell) => (cells[tile] = cell));
  return cells;
}

/** The cell of the tile that can move in a direction into the blank; -1 if there is none. */
export function from(blank: number, way: Way, columns: number, cells: number): number {
  switch (way) {
    case "U":
      return blank + columns < cells ? blank + columns : -1;
    case "D":
      return blank - columns;
    case "L":
      return (blank + 1) % columns ? blank + 1 : -1;
    case "R":
      return blank % columns ? blank - 1 : -1;
  }
}

/** Moves a tile in a direction, in place; returns `false` if no tile can move. */
export function move(tiles: number[], way: Way, columns: number): boolean {
  const blank = tiles.indexOf(0);
  const cell = from(blank, way, columns, tiles.length);
  if (cell < 0) return false;
  tiles[blank] = tiles[cell]!;
  tiles[cell] = 0;
  return true;
}

/** The tile that moved last, given the direction of that move. */
export const lastMoved = (tiles: readonly number[], way: Way, columns: number): number =>
  tiles[from(tiles.indexOf(0), back[way], columns, tiles.length)]!;

/** The directions of all possible moves. */
export const ways = (tiles: readonly number[], columns: number): Way[] =>
  (["U", "D", "L", "R"] as const).filter(
    (way) => from(tiles.indexOf(0), way, columns, tiles.length) >= 0,
  );

/**
 * The moves that bring the blank to `cell`; each tile on the way slides by one cell. Empty if the
 * cell is not in the blank's row or column.
 */
export function line(tiles: readonly number[], cell: number, columns: number): Way[] {
  const blank = tiles.indexOf(0);
  const right = (cell % columns) - (blank % columns);
  const down = Math.floor(cell / columns) - Math.floor(blank / columns);
  if ((right === 0) === (down === 0)) return [];
  const way: Way = right > 0 ? "L" : right < 0 ? "R" : down > 0 ? "U" : "D";
  return new Array<Way>(Math.abs(right + down)).fill(way);
}

/** The cells of the tiles that slide when the tile on `cell` is moved, starting with `cell`. */
export function lineCells(tiles: readonly number[], cell: number, columns: number): number[] {
  const moves = line(tiles, cell, columns);
  const step = { L: -1, R: 1, U: -columns, D: columns };
  return moves.map((way, index) => cell + index * step[way]);
}

/** The board with two tiles swapped. The tiles need not be neighbours. */
export const swapped = (tiles: readonly number[], one: number, other: number): number[] =>
  tiles.map((tile) => (tile === one ? other : tile === other ? one : tile));

/** Whether moves lead from one board to another one with the same numbers. */
export function isReachable(
  tiles: readonly number[],
  goal: readonly number[],
  columns: number,
): boolean {
  const places = cellsOf(goal);
  const order = tiles.map((tile) => places[tile]!);
  let isOdd = false;
  for (let cell = 0; cell < order.length; cell++) {
    while (order[cell] !== cell) {
      const other = order[cell]!;
      [order[cell], order[other]] = [order[other]!, other];
      isOdd = !isOdd;
    }
  }
  // Each move is one swap, and moves the blank by one cell.
  const [from, to] = [tiles.indexOf(0), goal.indexOf(0)];
  const away = Math.abs((from % columns) - (to % columns)) + Math.abs(row(from) - row(to));
  return isOdd === (away % 2 === 1);

  function row(cell: number): number {
    return Math.floor(cell / columns);
  }
}

/** A random solvable board other than the goal. All these boards are equally likely. */
export function uniform(
  goal: readonly number[],
  columns: number,
  random: () => number = Math.random,
): number[] {
  const tiles = [...goal];
  do {
    for (let last = tiles.length - 1; last > 0; last--) {
      const other = Math.floor(random() * (last + 1));
      [tiles[last], tiles[other]] = [tiles[other]!, tiles[last]!];
    }
    if (!isReachable(tiles, goal, columns)) {
      // Maps unsolvable boards one-to-one to solvable ones.
      const one = tiles[0] && tiles[1] ? 0 : tiles.length - 2;
      [tiles[one], tiles[one + 1]] = [tiles[one + 1]!, tiles[one]!];
    }
  } while (isSame(tiles, goal));
  return tiles;
}

/** A board after random moves. No move undoes the previous one. */
export function walk(
  goal: readonly number[],
  columns: number,
  moves: number,
  random: () => number = Math.random,
): number[] {
  const tiles = [...goal];
  let last: Way | null = null;
  for (let count = 0; count < moves; count++) {
    const open: Way[] = ways(tiles, columns).filter(
      (way) => last === null || way !== back[last],
    );
    last = open[Math.floor(random() * open.length)]!;
    move(tiles, last, columns);
  }
  return tiles;
}

/** Rows separated by slashes: `8 6 7/2 5 4/3 0 1`. */
export function boardText(tiles: readonly number[], columns: number): string {
  const rows: string[] = [];
  for (let cell = 0; cell < tiles.length; cell += columns) {
    rows.push(tiles.slice(cell, cell + columns).join(" "));
  }
  return rows.join("/");
}
