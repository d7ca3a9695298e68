// Reads the table files of this project. docs/format.md describes the format, and docs/ranking.md
// describes the numbering of entries. Needs no packages. Written for clarity.
//
//   node read_table.mjs FILE              prints the header
//   node read_table.mjs FILE --entries    prints all values as CSV; those of unreachable entries
//                                         are empty
//
// As a module, in browsers and Node 18 or later: new Table(bytes) opens a Uint8Array of the whole
// file, which must be inflated if it is a zstd frame; invalid bytes throw an Error. `storedAs`
// returns the file name of a pattern's table, `entryOfBoard` returns the entry of a board, and
// `views` and `estimate` compute the estimate of whole partitions.

import {
  checkSum, ensure, hex, printFacts, readU64, runCommand, sha256, startsWith, viewOf,
} from "./table_bytes.mjs";

export const HEADER_LENGTH = 4096;
export const UNREACHABLE = 255;
export const KINDS = ["zero-aware", "blank-compressed", "full", "runs"];
export const ENCODINGS = ["u8", "one-bit", "mod-3"];

/** Possible encodings by kind, the default first. */
const ENCODINGS_OF = {
  "zero-aware": ["one-bit", "u8"],
  "blank-compressed": ["u8"],
  full: ["u8"],
  runs: ["mod-3", "u8"],
};
/** Bits per entry. */
const BITS = { u8: 8, "one-bit": 1, "mod-3": 2 };
export const MAGIC = [0x89, 0x50, 0x44, 0x42, 0x0d, 0x0a, 0x1a, 0x0a];
const ZSTD_MAGIC = [0x28, 0xb5, 0x2f, 0xfd];

/** Size of a payload with this number of entries, in bytes. */
export const payloadLength = (encoding, entries) => Math.ceil((entries * BITS[encoding]) / 8);

// --- Sets of cells as bit masks, permutations ----------------------------------------------------

/** The set of these cells as a bit mask. */
export const maskOf = (cells) => cells.reduce((mask, cell) => mask | (1 << cell), 0);

/** The cells of a set in ascending order. */
export function cellsOf(mask) {
  const cells = [];
  for (; mask; mask &= mask - 1) cells.push(31 - Math.clz32(mask & -mask));
  return cells;
}

/** The Manhattan distance of two cells. */
export const distance = (a, b, width) =>
  Math.abs((a % width) - (b % width)) + Math.abs(Math.floor(a / width) - Math.floor(b / width));

export const factorial = (n) => (n < 2 ? 1 : n * factorial(n - 1));

/** C(n, i), 0 if i is larger than n. */
export const binomial = (n, i) => (i === 0 ? 1 : (binomial(n - 1, i - 1) * n) / i);

/** The first `count` masks of k cells in ascending order. */
function* masksOfSize(k, count) {
  let mask = 2 ** k - 1;
  for (; count > 0; count--) {
    yield mask;
    const carried = mask + (mask & -mask);
    mask = carried | ((mask ^ carried) / (mask & -mask) >>> 2);
  }
}

/** The number of items after index i that are smaller than item i. */
function smallerAfter(permutation, i) {
  let count = 0;
  for (let j = i + 1; j < permutation.length; j++) if (permutation[j] < permutation[i]) count++;
  return count;
}

/** The index of a permutation of 0..k-1 in lexicographic order. */
export const rankOf = (permutation) => permutation.reduce((rank, _, i) =>
  rank * (permutation.length - i) + smallerAfter(permutation, i), 0);

/** The permutation of 0..k-1 with this index in lexicographic order. */
export function permutationOf(rank, k) {
  const left = Array.from({ length: k }, (_, i) => i);
  const permutation = [];
  for (let i = k - 1; i >= 0; i--) {
    permutation.push(...left.splice(Math.floor(rank / factorial(i)), 1));
    rank %= factorial(i);
  }
  return permutation;
}

/** Whether a permutation is odd. */
export const isOdd = (permutation) =>
  permutation.reduce((sum, _, i) => sum + smallerAfter(permutation, i), 0) % 2 === 1;

// --- Classes of the blank, symmetries, names -----------------------------------------------------

/** Whether the blank's cell is part of an entry. */
export const hasBlank = (kind) => kind === "full" || kind === "runs";

/** The blank classes of a shape, each as a mask of its cells. A table has one row per pair of shape
 * and blank class. */
export function blankClasses(width, height, kind, shape) {
  let free = (2 ** (width * height) - 1) & ~shape;
  if (kind === "blank-compressed") return [free];
  if (hasBlank(kind)) return cellsOf(free).map((cell) => 1 << cell);
  const firstColumn = maskOf(Array.from({ length: height }, (_, y) => y * width));
  const lastColumn = firstColumn << (width - 1);
  const regions = [];
  while (free) {
    let [region, grown] = [0, free & -free];
    while (region !== grown) {
      region = grown;
      const beside = ((region & ~lastColumn) << 1) | ((region & ~firstColumn) >> 1);
      grown = (region | beside | (region << width) | (region >> width)) & free;
    }
    regions.push(region);
    free &= ~region;
  }
  return regions;
}

/**
 * Possible values of the header field `blank`, a mask of cells: the blank classes of the goal
 * shape. For blank-compressed tables they are the regions instead.
 */
const goalClasses = (width, height, kind, tiles) =>
  blankClasses(width, height, hasBlank(kind) ? kind : "zero-aware", tiles);

/** The symmetries of the tray, the identity first. Each is an array of the images of all cells. */
export function symmetries(width, height) {
  const rows = Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_, x) => y * width + x));
  const columns = Array.from({ length: width }, (_, x) => rows.map((row) => row[x]));
  const grids = width === height ? [rows, columns] : [rows];
  return grids.flatMap((grid) => [grid, grid.slice().reverse()]).flatMap((grid) =>
    [grid.flat(), grid.flatMap((row) => row.slice().reverse())]);
}

/** The file name of a table with this header. */
function nameOf({ width, height, kind, encoding, tiles, blank }) {
  const ending = encoding === ENCODINGS_OF[kind][0] ? "" : `.${encoding}`;
  const goalCells = cellsOf(tiles).join(".");
  return `${width}x${height}-${kind}-${goalCells}-blank${cellsOf(blank)[0]}${ending}.pdb`;
}

/**
 * The file name of a pattern's table, and a symmetry that maps the pattern to this table. See
 * docs/format.md, "Names".
 */
export function storedAs(width, height, kind, tiles, blank, encoding = ENCODINGS_OF[kind]?.[0]) {
  ensure(KINDS.includes(kind), `unknown kind: ${kind}`);
  ensure(!tiles.includes(blank), `the blank's goal cell ${blank} is also a tile's goal cell`);
  const classes = goalClasses(width, height, kind, maskOf(tiles));
  const blanks = cellsOf(classes.find((cells) => (cells >> blank) & 1));
  const images = symmetries(width, height).map((symmetry) => {
    const image = (cells) => maskOf(cells.map((cell) => symmetry[cell]));
    return { symmetry, tiles: image(tiles), blank: image(blanks) };
  });
  const least = images.reduce((a, b) =>
    b.tiles < a.tiles || (b.tiles === a.tiles && b.blank < a.blank) ? b : a);
  const name = nameOf({ width, height, kind, encoding, tiles: least.tiles, blank: least.blank });
  return { name, symmetry: least.symmetry };
}

// --- Numbering of entries ------------------------------------------------------------------------

/** The numbering of entries, which depends only on tray, kind and tiles (a mask). */
export class Numbering {
  constructor(width, height, kind, tiles) {
    Object.assign(this, { width, height, kind, tiles, cells: width * height });
    this.goalCells = cellsOf(tiles);
    this.k = this.goalCells.length;
    this.rowLength = factorial(this.k);
    const count = binomial(this.cells, this.k);
    this.shapes = Uint32Array.from(masksOfSize(this.k, count));
    this.firstRows = new Uint32Array(count + 1);
    this.shapes.forEach((shape, number) => {
      this.firstRows[number + 1] = this.firstRows[number] + this.classes(shape).length;
    });
    this.rows = this.firstRows[count];
  }

  /** The blank classes of a shape, each as a mask of its cells. */
  classes(shape) {
    return blankClasses(this.width, this.height, this.kind, shape);
  }

  /** The row of a shape with the blank on this cell. */
  rowOf(shape, blank) {
    const number = cellsOf(shape).reduce((sum, cell, i) => sum + binomial(cell, i + 1), 0);
    const class_ = this.classes(shape).findIndex((blanks) => (blanks >> blank) & 1);
    return this.firstRows[number] + class_;
  }

  /** The shape of a row, and the mask of its possible blank cells. */
  shapeAndBlanks(row) {
    let [low, high] = [0, this.shapes.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.firstRows[middle] <= row) low = middle;
      else high = middle;
    }
    const shape = this.shapes[low];
    return [shape, this.classes(shape)[row - this.firstRows[low]]];
  }

  /** The entry of a position. `cellOf` contains the cell of each tile, indexed by its goal cell. */
  locate(cellOf, blank) {
    const cells = this.goalCells.map((goal) => cellOf[goal]);
    const isCell = (cell) => Number.isInteger(cell) && cell >= 0 && cell < this.cells;
    ensure([...cells, blank].every(isCell), `cells are 0 to ${this.cells - 1}`);
    const different = new Set([...cells, blank]).size;
    ensure(different === this.k + 1, "two tiles, or a tile and the blank, are on one cell");
    return this.entryOf(cells, blank);
  }

  /** The entry of a position. `cells` contains the tiles' cells in the order of `goalCells`. */
  entryOf(cells, blank) {
    const inReadingOrder = cells.map((_, tile) => tile).sort((a, b) => cells[a] - cells[b]);
    return this.rowOf(maskOf(cells), blank) * this.rowLength + rankOf(inReadingOrder);
  }

  /** The inverse of `entryOf`: the tiles' cells, and the mask of possible blank cells. */
  place(entry) {
    const inEntries = Number.isInteger(entry) && entry >= 0 && entry < this.rows * this.rowLength;
    ensure(inEntries, `no entry ${entry}`);
    const [shape, blanks] = this.shapeAndBlanks(Math.floor(entry / this.rowLength));
    const tiles = permutationOf(entry % this.rowLength, this.k);
    const cells = [];
    cellsOf(shape).forEach((cell, position) => (cells[tiles[position]] = cell));
    return { cells, blanks };
  }

  /** The entries that one move reaches. In additive tables only moves of pattern tiles count. */
  *neighbours(entry) {
    const { cells, blanks } = this.place(entry);
    for (const blank of cellsOf(blanks)) {
      for (const line of this.linesFrom(blank)) {
        const moved = cells.slice();
        let hole = blank;
        for (const cell of this.kind === "runs" ? line : line.slice(0, 1)) {
          const tile = moved.indexOf(cell);
          if (tile >= 0) moved[tile] = hole;
          hole = cell;
          if (tile >= 0 || hasBlank(this.kind)) yield this.entryOf(moved, hole);
        }
      }
    }
  }

  /** The lines of cells left, right, above and below a cell, each from near to far. */
  linesFrom(cell) {
    const x = cell % this.width;
    const line = (length, step) => Array.from({ length }, (_, i) => cell + (i + 1) * step);
    const above = Math.floor(cell / this.width);
    return [line(x, -1), line(this.width - 1 - x, 1), line(above, -this.width),
      line(this.height - 1 - above, this.width)];
  }

  /** The sum of the checkerboard colours of the cells, modulo 2. */
  colour(mask) {
    const colour = (cell) => (Math.floor(cell / this.width) + (cell % this.width)) % 2;
    return cellsOf(mask).reduce((sum, cell) => sum ^ colour(cell), 0);
  }
}

// --- Tables --------------------------------------------------------------------------------------

/** Parses a header page and makes all checks that need only this page. Returns the fields. */
export function readHeader(page) {
  ensure(!startsWith(page, ZSTD_MAGIC), "a zstd frame: inflate it first (zstd -d)");
  ensure(startsWith(page, MAGIC), "not a table file, or damaged by a copy in text mode");
  ensure(page.length >= HEADER_LENGTH, `cut short: ${page.length} bytes, less than a header`);
  page = page.subarray(0, HEADER_LENGTH);
  checkSum("the header", page.subarray(0, 4064), page.subarray(4064));
  const view = viewOf(page);
  const version = view.getUint32(8, true);
  const larger = version === 2 ? " (trays of more than 25 cells)" : "";
  ensure(version === 1, `format version ${version}${larger}; this reader knows version 1`);
  const length = view.getUint32(12, true);
  ensure(length === HEADER_LENGTH, `header length ${length}, should be ${HEADER_LENGTH}`);
  const [width, height] = page.subarray(16, 18);
  ensure(width >= 2 && height >= 2 && width * height <= 25, `invalid tray: ${width}x${height}`);
  const [kind, encoding] = [KINDS[page[18]], ENCODINGS[page[19]]];
  ensure(kind, `unknown kind ${page[18]}`);
  ensure(encoding, `unknown encoding ${page[19]}`);
  ensure(ENCODINGS_OF[kind].includes(encoding), `a ${kind} table cannot be ${encoding}`);
  ensure(page[20] === 1, `unknown row order ${page[20]}`);
  const zeros = [page.subarray(21, 24), page.subarray(60, 64), page.subarray(2144, 4064)];
  ensure(zeros.every((bytes) => bytes.every((b) => b === 0)), "a reserved byte is not 0");

  const [tiles, blank] = [view.getUint32(24, true), view.getUint32(28, true)];
  const [cells, k] = [width * height, cellsOf(tiles).length];
  ensure(tiles < 2 ** cells && k >= 1 && k <= 12, `invalid set of tiles: ${tiles}`);
  const isClass = k < cells && goalClasses(width, height, kind, tiles).includes(blank);
  ensure(isClass, `the blank's goal cells ${blank} do not match the tiles ${tiles}`);
  const histogram = Array.from({ length: 256 }, (_, h) => readU64(view, 64 + 8 * h));
  ensure(histogram[UNREACHABLE] === 0, "the histogram's last count is not 0");
  const [entries, reached] = [readU64(view, 32), readU64(view, 40)];
  const counted = histogram.reduce((sum, count) => sum + count, 0);
  ensure(reached === counted, `${reached} reached, but ${counted} in the histogram`);
  ensure(reached >= 1 && reached <= entries, `${reached} entries reached of ${entries}`);
  const [max, largest] = [view.getUint32(56, true), histogram.findLastIndex((n) => n > 0)];
  ensure(max === largest, `max is ${max}, but the histogram's largest value is ${largest}`);
  const shapes = binomial(cells, k) * factorial(k);
  const areRows = entries % factorial(k) === 0 && entries >= shapes &&
    entries <= (cells - k) * shapes;
  ensure(areRows, `${entries} entries, should be rows of ${factorial(k)} for all shapes`);
  const [payload, expected] = [readU64(view, 48), payloadLength(encoding, entries)];
  ensure(payload === expected, `payload length ${payload}, should be ${expected}`);
  const payloadSum = page.slice(2112, 2144);
  return { width, height, kind, encoding, tiles, blank, entries, reached, payloadLength: payload,
    max, histogram, payloadSum };
}

/** A table file. Only `checkPayload` checks the payload. Header fields are properties. */
export class Table extends Numbering {
  constructor(bytes) {
    const header = readHeader(bytes);
    const length = HEADER_LENGTH + header.payloadLength;
    ensure(bytes.length === length, `${bytes.length} bytes long, should be ${length}`);
    super(header.width, header.height, header.kind, header.tiles);
    const expected = this.rows * this.rowLength;
    ensure(header.entries === expected, `${header.entries} entries, should be ${expected}`);
    Object.assign(this, header, { payload: bytes.subarray(HEADER_LENGTH) });
    this.bits = BITS[this.encoding];
    this.goalEntry = this.entryOf(this.goalCells, cellsOf(this.blank)[0]);
  }

  /** The correct file name. */
  get name() {
    return nameOf(this);
  }

  /** Throws an Error unless this is the correct file name. */
  checkName(name) {
    ensure(this.name === name.replace(/\.zst$/, ""), `contains table ${this.name}, not ${name}`);
  }

  /** Checks the SHA-256 of the payload. In u8 tables it also checks the histogram. */
  checkPayload() {
    checkSum("the payload", this.payload, this.payloadSum);
    const used = (this.entries * this.bits) % 8 || 8;
    ensure(this.payload.at(-1) >> used === 0, "the bits after the last entry are not 0");
    if (this.encoding !== "u8") return;
    const counts = new Array(256).fill(0);
    for (const value of this.payload) counts[value]++;
    const areCounts = this.histogram.every((count, h) => count === counts[h] || h === UNREACHABLE);
    ensure(areCounts, "the payload's values do not match the histogram");
  }

  /** The bits of an entry. */
  code(entry) {
    const byte = this.payload[Math.floor((entry * this.bits) / 8)];
    if (byte === undefined) throw new Error(`no entry ${entry}`);
    return (byte >> ((entry * this.bits) % 8)) & ((1 << this.bits) - 1);
  }

  /** The value (u8), or the value modulo 4 (one-bit) or 3 (mod-3); null if marked unreachable. */
  residue(entry) {
    const code = this.code(entry);
    if (this.encoding === "u8") return code === UNREACHABLE ? null : code;
    if (this.encoding === "mod-3") return code === 0 ? null : code - 1;
    const [shape] = this.shapeAndBlanks(Math.floor(entry / this.rowLength));
    return 2 * code + (this.colour(shape) ^ this.colour(this.tiles));
  }

  /** The value of an entry, or null if it is unreachable. */
  value(entry) {
    if (this.encoding === "u8") return this.residue(entry);
    if (!this.isPossible(entry)) return null;
    return this.walk(entry, (at) => (at === this.goalEntry ? 0 : null)).length - 1;
  }

  /** The values of all entries. In tables that are not u8, they are computed by `walk`; each walk
   * ends at the first entry that an earlier walk visited. */
  values() {
    const known = new Int16Array(this.entries).fill(-1);
    known[this.goalEntry] = 0;
    return Array.from({ length: this.entries }, (_, entry) => {
      if (this.encoding === "u8") return this.value(entry);
      if (!this.isPossible(entry)) return null;
      const passed = this.walk(entry, (at) => (known[at] < 0 ? null : known[at]));
      const least = known[passed[passed.length - 1]];
      passed.reverse().forEach((at, higher) => (known[at] = least + higher));
      return known[entry];
    });
  }

  /**
   * Walks down, each time to a neighbour whose residue is one less, until it reaches an entry with
   * a known value. Returns the visited entries in order, including that last entry.
   */
  walk(start, known) {
    const modulus = this.encoding === "mod-3" ? 3 : 4;
    const passed = [start];
    for (let entry = start; known(entry) === null; passed.push(entry)) {
      ensure(passed.length <= this.max, `damaged: more than ${this.max} steps from ${start}`);
      const below = (this.residue(entry) + modulus - 1) % modulus;
      entry = [...this.neighbours(entry)].find((near) => this.residue(near) === below);
      ensure(entry !== undefined, `damaged: a dead end at entry ${passed.at(-1)}`);
    }
    return passed;
  }

  /** Whether an entry is reachable. docs/format.md, "Encodings", describes the test. */
  isPossible(entry) {
    if (this.encoding !== "one-bit") return this.residue(entry) !== null;
    if (this.k < this.cells - 2) return true;
    const { cells, blanks } = this.place(entry);
    return this.parity(cells, blanks) === this.parity(this.goalCells, this.blank);
  }

  /**
   * Parity of the permutation of tiles and blank, plus the blank's colour, modulo 2. No move
   * changes this sum.
   */
  parity(cells, blanks) {
    const [blank, ...other] = cellsOf(blanks);
    const outside = cellsOf((2 ** this.cells - 1) & ~maskOf(cells) & ~blanks);
    return Number(isOdd([...cells, blank, ...other, ...outside])) ^ this.colour(1 << blank);
  }
}

// --- Estimates of boards -------------------------------------------------------------------------

/**
 * The views of partitions, one for each partition and each symmetry of the tray that keeps the
 * blank's goal cell. A view contains the kind and the patterns. For each pattern it contains the
 * goal cells, the name of the table file, and the symmetry that maps the pattern to the table.
 * `partitions` is a list of { kind, encoding, patterns }; a pattern is a list of tile numbers.
 * `goal` lists the numbers of the goal board in reading order, 0 for the blank.
 */
export function views(width, height, goal, partitions) {
  const blank = goal.indexOf(0);
  const keeping = symmetries(width, height).filter((symmetry) => symmetry[blank] === blank);
  return partitions.flatMap(({ kind, encoding, patterns }) => keeping.map((image) => {
    const parts = patterns.map((numbers) => {
      const cells = numbers.map((number) => image[goal.indexOf(number)]);
      return { cells, ...storedAs(width, height, kind, cells, blank, encoding) };
    });
    return { kind, parts };
  }));
}

/** The entry of a board in the table of a view's part. */
export function entryOfBoard(board, goal, part, table) {
  const cellOf = [];
  goal.forEach((number, goalCell) => {
    cellOf[part.symmetry[goalCell]] = part.symmetry[board.indexOf(number)];
  });
  return table.locate(cellOf, part.symmetry[board.indexOf(0)]);
}

/**
 * A lower bound for the moves from a board to the goal: the maximum over all views. A view adds the
 * values of its parts if their kind is additive, and otherwise uses the largest value. `tables`
 * maps file names to tables. Returns null if a table shows that the goal cannot be reached.
 */
export function estimate(board, goal, all, tables) {
  let greatest = 0;
  for (const { kind, parts } of all) {
    const values = parts.map((part) => {
      const table = tables.get(part.name);
      ensure(table, `no table ${part.name}`);
      table.checkName(part.name);
      return table.value(entryOfBoard(board, goal, part, table));
    });
    if (values.includes(null)) return null;
    const together = hasBlank(kind) ? Math.max(...values) : values.reduce((a, b) => a + b);
    greatest = Math.max(greatest, together);
  }
  return greatest;
}

// --- The command, in Node ------------------------------------------------------------------------

/** Returns the bytes of a table file, inflated if they are a zstd frame. */
async function inflated(bytes) {
  if (!startsWith(bytes, ZSTD_MAGIC)) return bytes;
  const { zstdDecompressSync } = await import("node:zlib");
  const has = typeof zstdDecompressSync === "function";
  ensure(has, "a zstd frame: inflate it first (zstd -d), or use Node 22.15 or later");
  return zstdDecompressSync(bytes, { maxOutputLength: HEADER_LENGTH + 512 * bytes.length });
}

async function main([path, option, ...more]) {
  if (!path || more.length > 0 || (option && option !== "--entries")) {
    throw new Error("usage: node read_table.mjs FILE [--entries]");
  }
  const { readFileSync } = await import("node:fs");
  const { basename } = await import("node:path");
  const table = new Table(await inflated(new Uint8Array(readFileSync(path))));
  table.checkName(basename(path));
  if (!option) {
    console.log(`name      ${table.name}`);
    printFacts(table, cellsOf(table.blank), {
      entries: `${table.entries}, ${table.reached} of them reached`,
      payload: `${table.payloadLength} bytes, SHA-256 ${hex(table.payloadSum)}`,
      max: table.max,
    });
    table.histogram.slice(0, table.max + 1).forEach((count, value) => {
      console.log(`${String(value).padStart(9)} ${count}`);
    });
    return;
  }
  table.checkPayload();
  const lines = table.values().map((value, entry) => `${entry},${value ?? ""}\n`);
  process.stdout.write(`entry,value\n${lines.join("")}`);
}

await runCommand(import.meta.url, main);
