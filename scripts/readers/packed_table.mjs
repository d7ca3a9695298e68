// Unpacks one packed table. docs/format.md describes the format and the decoding. new Packed(bytes)
// opens it, frame(number) decodes only one frame, and table() returns the bytes of the table file.
// Written for clarity; takes about 50 nanoseconds per entry.

import {
  HEADER_LENGTH, MAGIC, Numbering, Table, UNREACHABLE, cellsOf, distance, factorial, hasBlank,
  isOdd, payloadLength, permutationOf, rankOf, readHeader,
} from "./read_table.mjs";
import { checkSum, ensure, readU64, sha256, startsWith, viewOf } from "./table_bytes.mjs";

export const PACKED_MAGIC = [0x89, 0x50, 0x44, 0x5a, 0x0d, 0x0a, 0x1a, 0x0a];
const FIELDS_LENGTH = 112;
const FRAME_LENGTH = 40;
const [PREDICTED, BYTES] = [0, 1];
const BYTE_FRAME = 2 ** 24;
const CONTEXTS = [4915, 256];
/** Distances from an entry to the earlier entries of its stretch whose votes are counted. */
const BACK = [1, 2, 6, 24, 120];

/** Probabilities t(0), t(1), ... that the model's codes stand for, in units of 1 / 2^14. */
const SHARES = [8192];
while (SHARES.length < 127) {
  const t = SHARES[SHARES.length - 1];
  SHARES.push(Math.max(1, t - (t < 32 ? 1 : Math.floor(t / 16))));
}

/** Reads the model: the probability of a yes per context, in units of 1 / 2^14. */
function readModel(bytes, contexts) {
  const bits = bytes.subarray(0, Math.ceil(contexts / 8));
  let next = bits.length;
  const model = new Uint16Array(contexts).fill(8192);
  for (let context = 0; context < 8 * bits.length; context++) {
    if (((bits[context >> 3] >> context % 8) & 1) === 0) continue;
    const code = bytes[next++];
    ensure(context < contexts && code >= 1 && code <= 254, "the model has an impossible code");
    model[context] = code < 128 ? SHARES[code - 1] : 2 ** 14 - SHARES[code - 128];
  }
  ensure(next === bytes.length, "the model has a wrong length");
  return model;
}

/** Decoder of the decisions of a frame. */
class Decisions {
  constructor(bytes, model) {
    ensure(bytes.length >= 8 && bytes.length % 2 === 0, "a frame's length is impossible");
    const view = viewOf(bytes);
    this.model = model;
    // Two states take turns: `state` decodes the next decision, `other` the decision after it.
    this.state = view.getUint32(0, true);
    this.other = view.getUint32(4, true);
    this.words = new Uint16Array(bytes.length / 2 - 4);
    this.words.forEach((_, i) => (this.words[i] = view.getUint16(8 + 2 * i, true)));
    this.next = 0;
  }

  /** Decodes the next decision in this context. After the last word of the frame it reads zeros. */
  is(context) {
    const share = this.model[context];
    let x = this.state;
    const low = x & 0x3fff;
    const yes = low < share;
    x = yes
      ? Math.imul(x >>> 14, share) + low
      : Math.imul(x >>> 14, 0x4000 - share) + low - share;
    if (x >>> 16 === 0) x = (x << 16) | this.words[this.next++];
    this.state = this.other;
    this.other = x;
    return yes;
  }

  finish() {
    const areStates = this.state === 0x10000 && this.other === 0x10000;
    ensure(areStates && this.next === this.words.length, "a frame does not end as it should");
  }
}

/** A packed table in memory. The fields of the table's header are properties. */
export class Packed extends Numbering {
  constructor(bytes) {
    const isPacked = startsWith(bytes, PACKED_MAGIC);
    ensure(isPacked, "not a packed table, or damaged by a copy in text mode");
    ensure(bytes.length >= FIELDS_LENGTH + 32, `cut short: ${bytes.length} bytes`);
    const view = viewOf(bytes);
    const length = view.getUint32(12, true);
    const isThere = length >= FIELDS_LENGTH + 32 && length <= bytes.length;
    const sum = isThere ? bytes.subarray(length - 32, length) : [];
    checkSum("the header", bytes.subarray(0, length - 32), sum);
    const version = view.getUint32(8, true);
    ensure(version === 1, `version ${version}; this reader knows version 1`);
    const fileLength = readU64(view, 48);
    ensure(fileLength === bytes.length, `${bytes.length} bytes long, should be ${fileLength}`);

    const page = tablePage(bytes, view, length);
    const header = readHeader(page);
    const areFew = Math.floor(header.entries / 4096) <= bytes.length;
    ensure(areFew, `${header.entries} entries are too many for so few bytes`);
    super(header.width, header.height, header.kind, header.tiles);
    const expected = this.rows * this.rowLength;
    ensure(header.entries === expected, `${header.entries} entries, should be ${expected}`);

    const [method, fixed] = [bytes[21], bytes[22]];
    const isPredicted = method === PREDICTED && header.kind !== "runs";
    const isMethod = isPredicted ? fixed <= Math.max(this.k - 4, 0) : method === BYTES && !fixed;
    ensure(isMethod, `method ${method} with ${fixed} fixed tiles is impossible`);
    const stretch = factorial(this.k - fixed);
    Object.assign(this, header, { bytes, page, method, fixed, stretch });
    const modelStart = FIELDS_LENGTH + 8 * (header.max + 1);
    const modelLength = view.getUint32(64, true);
    const index = modelStart + Math.ceil(modelLength / 8) * 8;
    const frames = view.getUint32(60, true);
    const areFrames = frames === (method === PREDICTED
      ? this.rowLength / stretch
      : Math.ceil(header.payloadLength / BYTE_FRAME));
    ensure(areFrames, `the number of frames, ${frames}, is wrong`);
    ensure(index + FRAME_LENGTH * frames + 32 === length, "the header's parts do not fill it");
    const reserved = [[23, 24], [68, 72], [104, 112], [modelStart + modelLength, index]];
    const areZeros = reserved.every((ends) => bytes.subarray(...ends).every((byte) => byte === 0));
    ensure(areZeros, "a reserved byte is not 0");
    this.model = readModel(bytes.subarray(modelStart, modelStart + modelLength), CONTEXTS[method]);

    let start = length;
    this.frames = Array.from({ length: frames }, (_, number) => {
      const at = index + FRAME_LENGTH * number;
      const frame = { start, end: start + readU64(view, at), sum: bytes.subarray(at + 8, at + 40) };
      start = frame.end;
      return frame;
    });
    ensure(start === bytes.length, "the frames do not fill the file");
    this.headerLength = length;
    if (method === PREDICTED) this.plan();
  }

  /** The entries of a frame, encoded as in the payload of a table file. */
  frame(number) {
    const { start, end, sum } = this.frames[number];
    const bytes = this.bytes.subarray(start, end);
    checkSum(`frame ${number}`, bytes, sum);
    const decisions = new Decisions(bytes, this.model);
    const unpacked = this.method === BYTES
      ? this.plain(number, decisions)
      : encode(this.valuesOf(number, decisions), this.encoding);
    decisions.finish();
    return unpacked;
  }

  /** Decodes a frame of a table that is packed by bytes. */
  plain(number, decisions) {
    const length = Math.min(BYTE_FRAME, this.payloadLength - number * BYTE_FRAME);
    const bytes = new Uint8Array(length);
    for (let i = 0; i < length; i++) {
      let context = 1;
      while (context < 256) context = 2 * context + decisions.is(context);
      bytes[i] = context - 256;
    }
    return bytes;
  }

  /** The payload of the table, unchecked. */
  payload() {
    const payload = new Uint8Array(this.payloadLength);
    const inRows = this.method === PREDICTED && this.frames.length > 1;
    const piece = payloadLength(this.encoding, this.stretch);
    this.frames.forEach((_, number) => {
      const frame = this.frame(number);
      if (!inRows) payload.set(frame, this.method === BYTES ? number * BYTE_FRAME : 0);
      for (let row = 0; inRows && row < this.rows; row++) {
        const place = (row * this.frames.length + number) * piece;
        payload.set(frame.subarray(row * piece, (row + 1) * piece), place);
      }
    });
    return payload;
  }

  /** The bytes of the table file, after checking the SHA-256 of the payload. */
  table() {
    const file = new Uint8Array(HEADER_LENGTH + this.payloadLength);
    file.set(this.page);
    file.set(this.payload(), HEADER_LENGTH);
    new Table(file).checkPayload();
    return file;
  }

  // --- Values ------------------------------------------------------------------------------------

  /** The moves from the positions of a row, as objects `{ row, i, j }`. In a move, `row` is the row
   * after the move. Among the pattern's tiles in reading order, the moved tile has index `i` before
   * the move and index `j` after it. */
  movesOf(row) {
    const [shape, blanks] = this.shapeAndBlanks(row);
    const moves = [];
    for (const hole of cellsOf(blanks)) {
      for (const [cell] of this.linesFrom(hole)) {
        if (cell === undefined) continue;
        if ((shape >> cell) & 1) {
          const after = (shape & ~(1 << cell)) | (1 << hole);
          const [i, j] = [cellsOf(shape).indexOf(cell), cellsOf(after).indexOf(hole)];
          moves.push({ row: this.rowOf(after, cell), i, j });
        } else if (hasBlank(this.kind)) {
          moves.push({ row: this.rowOf(shape, cell), i: 0, j: 0 });
        }
      }
    }
    return moves;
  }

  /** Whether the entries before and after a move are in the same frame. */
  stays({ i, j }) {
    return i === j || Math.min(i, j) >= this.fixed;
  }

  /** Computes the moves from each row, the decoding order of the rows, and the permutations of a
   * stretch. */
  plan() {
    this.moves = Array.from({ length: this.rows }, (_, row) => this.movesOf(row));
    const met = new Set();
    for (let first = 0; first < this.rows; first++) {
      let level = met.has(first) ? [] : [first];
      while (level.length > 0) {
        for (const row of level) met.add(row);
        const moves = level.flatMap((row) => this.moves[row]).filter((move) => this.stays(move));
        const after = new Set(moves.map(({ row }) => row).filter((row) => !met.has(row)));
        level = [...after].sort((a, b) => a - b);
      }
    }
    this.order = [...met];
    // Per entry of a stretch: the tiles that are not fixed, in the order of their cells.
    const loose = this.k - this.fixed;
    this.orders = Array.from({ length: this.stretch }, (_, entry) => permutationOf(entry, loose));
    this.isOdd = this.orders.map(isOdd);
    this.images = new Map();
  }

  /** The images of the entries of a stretch under a move. */
  imagesOf({ i, j }) {
    const key = i === j ? "" : `${i} ${j}`;
    if (!this.images.has(key)) {
      const images = this.orders.map((order, entry) => {
        if (i === j) return entry;
        const moved = order.slice();
        moved.splice(j - this.fixed, 0, ...moved.splice(i - this.fixed, 1));
        return rankOf(moved);
      });
      this.images.set(key, Uint32Array.from(images));
    }
    return this.images.get(key);
  }

  /** The parity of the values of a row with this shape and these blank cells. */
  parityOf(shape, blanks) {
    return hasBlank(this.kind)
      ? this.colour(blanks) ^ this.colour(this.blank)
      : this.colour(shape) ^ this.colour(this.tiles);
  }

  /** Decodes frame `number`. Returns its values: one stretch per row, in ascending order of the
   * rows. */
  valuesOf(number, decisions) {
    const { stretch, rows } = this;
    const values = new Uint8Array(rows * stretch);
    const stretchOf = (row) => values.subarray(row * stretch, (row + 1) * stretch);
    const known = new Uint8Array(rows);
    const tiles = this.orders.map((_, entry) => permutationOf(number * stretch + entry, this.k));
    this.tilesInOrder = Uint8Array.from(tiles.flat());
    this.floor = new Uint8Array(stretch);
    this.votes = new Int16Array(stretch);
    const near = { least: new Uint8Array(stretch), greatest: new Uint8Array(stretch) };
    near.times = new Uint8Array(stretch);
    for (const row of this.order) {
      const out = stretchOf(row);
      const [shape, blanks] = this.shapeAndBlanks(row);
      const parity = this.parityOf(shape, blanks);
      const before = this.moves[row].filter((move) => known[move.row] && this.stays(move));
      known[row] = 1;
      // If `isSettled` is true, each value is one more than the least value of the entry's
      // neighbours; the floors are not needed.
      const left = this.moves[row].length - before.length;
      const isCompressed = this.kind === "blank-compressed";
      const isSettled = before.length > 0 && left === 0 && !isCompressed && shape !== this.tiles;
      if (!isSettled) this.findFloor(shape, parity);
      this.look(before.map((move) => [stretchOf(move.row), this.imagesOf(move)]), near);
      const place = 5 * (Math.min(before.length, 4) - 1) + Math.min(left, 4);
      const sibling = () => {
        const found = this.siblingOf(row, shape, parity, known);
        return found < 0 ? null : stretchOf(found);
      };
      if (isSettled) near.least.forEach((least, entry) => (out[entry] = Math.min(least + 1, 255)));
      else if (before.length === 0) this.alone(out, sibling(), decisions);
      else if (isCompressed) this.loose(out, place, near, decisions);
      else this.byOne(out, place, near, sibling(), decisions);
    }
    return values;
  }

  /** Of the other decoded rows with this shape and this parity of their values, returns the one
   * with the highest number. Returns -1 if there is none. */
  siblingOf(row, shape, parity, known) {
    const classes = this.classes(shape);
    const first = row - classes.indexOf(this.shapeAndBlanks(row)[1]);
    const class_ = classes.findLastIndex((blanks, i) =>
      first + i !== row && known[first + i] && this.parityOf(shape, blanks) === parity);
    return class_ < 0 ? -1 : first + class_;
  }

  /** Sets the floor of each entry: the sum of Manhattan distances, plus 1 if the parity of this sum
   * is not `parity`. */
  findFloor(shape, parity) {
    const { floor, k, width, tilesInOrder } = this;
    const distances = new Uint8Array(k * k);
    cellsOf(shape).forEach((cell, position) => this.goalCells.forEach((goal, tile) => {
      distances[position * k + tile] = distance(cell, goal, width);
    }));
    for (let entry = 0; entry < floor.length; entry++) {
      let sum = 0;
      for (let i = 0; i < k; i++) sum += distances[i * k + tilesInOrder[entry * k + i]];
      floor[entry] = sum + ((sum + parity) & 1);
    }
  }

  /** Finds, for each entry, the least and the greatest value of its neighbours, and the number of
   * neighbours with the least value. */
  look(neighbours, { least, greatest, times }) {
    least.fill(255);
    greatest.fill(0);
    times.fill(0);
    for (const [values, images] of neighbours) {
      for (let entry = 0; entry < least.length; entry++) {
        const value = values[images[entry]];
        if (value > greatest[entry]) greatest[entry] = value;
        if (value === least[entry]) times[entry]++;
        else if (value < least[entry]) {
          least[entry] = value;
          times[entry] = 1;
        }
      }
    }
  }

  /** The sum of the votes of earlier entries. */
  sumOfVotes(entry) {
    let sum = 0;
    for (let i = 0; i < 5 && entry >= BACK[i]; i++) sum += this.votes[entry - BACK[i]];
    return sum;
  }

  /** Whether an entry has two possible values, least + 1 and least - 1. */
  isOpen(near, entry) {
    const least = near.least[entry];
    return least === near.greatest[entry] && least > this.floor[entry] && least !== UNREACHABLE;
  }

  /** Decodes a zero-aware or full-cost row that has a decoded neighbouring row in the frame. */
  byOne(out, place, near, sibling, decisions) {
    const { floor, votes } = this;
    votes.fill(1);
    // One pass is enough, because an entry uses only the votes of earlier entries. An entry with
    // only one possible value keeps its initial vote, 1.
    for (let entry = 0; entry < out.length; entry++) {
      const least = near.least[entry];
      out[entry] = Math.min(least + 1, UNREACHABLE);
      if (!this.isOpen(near, entry)) continue;
      const excess = Math.min((least - floor[entry]) >> 1, 3);
      const s = sibling === null ? 0 : sibling[entry];
      const higher = (s >= least - 1) + (s >= Math.min(least + 1, 255)) +
        (s >= Math.min(least + 3, 255));
      const relation = sibling === null ? 0 : 1 + higher;
      const context = ((place * 4 + excess) * 5 + relation) * 11 + this.sumOfVotes(entry) + 5;
      if (decisions.is(context)) continue;
      out[entry] = least - 1;
      votes[entry] = -1;
    }
  }

  /** Decodes a blank-compressed row that has a decoded neighbouring row in the frame. */
  loose(out, place, near, decisions) {
    const { floor, votes } = this;
    votes.fill(1);
    for (let entry = 0; entry < out.length; entry++) {
      if (this.isOpen(near, entry)) continue;
      const least = near.least[entry];
      const guess = Math.max(Math.min(least + 1, 255), floor[entry]);
      const isAbove = least > floor[entry];
      const spread = isAbove ? Math.min((near.greatest[entry] - least) >> 1, 3) : 0;
      const times = Math.min(near.times[entry], 3);
      const yes = decisions.is(4400 + place * 12 + spread * 3 + times - 1);
      out[entry] = yes ? guess : stray(guess, guess, decisions);
    }
    for (let entry = 0; entry < out.length; entry++) {
      if (!this.isOpen(near, entry)) continue;
      const least = near.least[entry];
      const excess = Math.min((least - floor[entry]) >> 1, 3);
      const context = (place * 4 + excess) * 5 * 11 + this.sumOfVotes(entry) + 5;
      if (decisions.is(context)) {
        out[entry] = least + 1;
        continue;
      }
      votes[entry] = -1;
      const isBelow = decisions.is(4640 + excess);
      out[entry] = isBelow ? least - 1 : stray(least - 1, least + 1, decisions);
    }
  }

  /** Decodes a row that has no decoded neighbouring row in the frame. */
  alone(out, sibling, decisions) {
    const { floor } = this;
    const rises = [];
    for (let entry = 0; entry < out.length; entry++) {
      if (this.k >= this.cells - 2 && decisions.is(4649 + this.isOdd[entry])) {
        out[entry] = UNREACHABLE;
        rises.push(null);
        continue;
      }
      let [v, step] = [floor[entry], 0];
      const w = sibling === null ? v : sibling[entry];
      const riseOf = () => Math.max((v - w) >> 1, -127);
      while (v < 253) {
        const rise = riseOf();
        const relation = sibling === null ? 0 : Math.min(Math.max(3 + rise, 1), 5);
        const earlier = BACK.map((back) => rises[entry - back] ?? null).filter((r) => r !== null);
        const votes = earlier.reduce((sum, r) => sum + (r > rise ? 1 : -1), 0);
        if (!decisions.is(4651 + (step * 6 + relation) * 11 + votes + 5)) break;
        v += 2;
        step = Math.min(step + 1, 3);
      }
      out[entry] = v;
      rises.push(riseOf());
    }
  }
}

/** Rebuilds the header page of the table file from the fields of the packed file. */
function tablePage(bytes, view, length) {
  const max = view.getUint32(56, true);
  ensure(max < 255 && FIELDS_LENGTH + 8 * (max + 1) <= length, `max is ${max}`);
  const page = new Uint8Array(HEADER_LENGTH);
  const copy = (start, end, to) => page.set(bytes.subarray(start, end), to);
  page.set(MAGIC);
  viewOf(page).setUint32(8, 1, true);
  viewOf(page).setUint32(12, HEADER_LENGTH, true);
  copy(16, 21, 16); // tray, kind, encoding, row order
  copy(24, 40, 24); // tiles, blank, entries
  copy(40, 48, 48); // length of the payload
  copy(56, 60, 56); // largest value
  copy(72, 104, 2112); // sum of the payload
  copy(FIELDS_LENGTH, FIELDS_LENGTH + 8 * (max + 1), 64);
  const counts = Array.from({ length: max + 1 }, (_, h) => readU64(view, FIELDS_LENGTH + 8 * h));
  const reached = counts.reduce((sum, count) => sum + count);
  viewOf(page).setBigUint64(40, BigInt(reached), true);
  page.set(sha256(page.subarray(0, 4064)), 4064);
  return page;
}

/** Encodes values as in the payload of a table file. */
function encode(values, encoding) {
  if (encoding === "u8") return values;
  const bytes = new Uint8Array(payloadLength(encoding, values.length));
  values.forEach((value, entry) => {
    if (value !== UNREACHABLE) bytes[entry >> 3] |= ((value >> 1) & 1) << entry % 8;
  });
  return bytes;
}

/** Decodes a value outside the predicted range, in a blank-compressed row. */
function stray(low, high, decisions) {
  let v;
  let isFirst = true;
  if (decisions.is(4644)) {
    v = Math.min(high + 2, 255);
    for (; v < 253 && decisions.is(isFirst ? 4645 : 4646); isFirst = false) v += 2;
  } else {
    v = Math.max(low - 2, 0);
    for (; v >= 2 && !decisions.is(isFirst ? 4647 : 4648); isFirst = false) v -= 2;
  }
  return v;
}
