/**
 * A board, the moves from it, and the current position in these moves. Does not draw. Boards and
 * moves are read in the form that every function of the package returns, without WebAssembly;
 * `loadPuzzle().parse` reads all other notations.
 */
import { InputError } from "../error.js";
import { back, boardText, isBoard, isSame, isSide, largest, line, move, ordered } from "./rules.js";
import { smallest } from "./rules.js";
import type { Way } from "./rules.js";

/** The tiles of a board, and its number of columns. */
export interface Layout {
  tiles: number[];
  columns: number;
}

/**
 * Reads rows of numbers separated by slashes, or all numbers in reading order. `columns` applies
 * only to the second form; without it, that board must be square.
 */
export function readBoard(board: string | readonly number[], columns?: number): Layout {
  const rows = typeof board === "string" ? board.trim().split("/") : [board];
  const cells = rows.map((row) =>
    typeof row === "string"
      ? row
          .trim()
          .split(/[\s,]+/)
          .map(wholeOf)
      : [...row],
  );
  const tiles = cells.flat();
  const width = cells.length > 1 ? cells[0]!.length : (columns ?? Math.sqrt(tiles.length));
  if (cells.length > 1 && cells.some((row) => row.length !== width)) {
    throw new InputError("the rows of the board must have equal lengths");
  }
  const height = tiles.length / width;
  if (!isSide(width) || !isSide(height)) {
    throw new InputError(
      `${tiles.length} numbers are not a board of ${smallest} to ${largest} rows and columns`,
    );
  }
  if (!isBoard(tiles, tiles.length)) {
    throw new InputError(`a board has the numbers from 0 to ${tiles.length - 1}, each once`);
  }
  return { tiles, columns: width };
}

function wholeOf(text: string): number {
  if (/^\d{1,3}$/.test(text)) return Number(text);
  throw new InputError(`\`${text.slice(0, 20)}\` in the board is not a number`);
}

/** Reads the goal of a board: a name, or a board of the same size. */
export function readGoal(goal: string | readonly number[], { tiles, columns }: Layout): number[] {
  if (goal === "blank-last") return ordered(tiles.length);
  if (goal === "blank-first") return tiles.map((_, cell) => cell);
  const layout = readBoard(goal, columns);
  if (layout.columns === columns && layout.tiles.length === tiles.length) return layout.tiles;
  const size = boardText(layout.tiles, layout.columns);
  throw new InputError(`the goal ${size.slice(0, 40)} has another size than the board`);
}

/** Maximum number of moves of an element, enough for any solution of 20x20. */
const MAX_MOVES = 1_000_000;

/** Reads moves: a letter for each tile's direction, with an optional count, such as `U2RD`. */
export function readMoves(text: string): Way[] {
  const moves: Way[] = [];
  let end = 0;
  for (const { 0: part, 1: letter, 2: count, index } of text.matchAll(/\s*([UDLR])(\d{0,3})/g)) {
    if (index !== end) break;
    end += part.length;
    if (count && Number(count) === 0) throw new InputError(`\`${part.trim()}\` is not a move`);
    for (let made = Number(count || 1); made > 0; made--) moves.push(letter as Way);
    if (moves.length > MAX_MOVES) throw new InputError(`at most ${MAX_MOVES} moves can be played`);
  }
  const rest = text.slice(end).trim();
  if (!rest) return moves;
  throw new InputError(`moves are letters U, D, L and R with counts, not \`${rest.slice(0, 20)}\``);
}

/** A board, the moves from it, and the position in them. */
export class Timeline {
  /** The board after the first `position` moves. */
  readonly tiles: number[];
  readonly moves: Way[];
  #position = 0;

  constructor(
    readonly start: readonly number[],
    readonly goal: readonly number[],
    readonly columns: number,
    moves: readonly Way[] = [],
  ) {
    this.tiles = [...start];
    this.moves = [...moves];
    const trial = [...start];
    const stop = this.moves.findIndex((way) => !move(trial, way, columns));
    if (stop >= 0) {
      throw new InputError(`move ${stop + 1}, ${this.moves[stop]}, leaves the board`);
    }
  }

  get position(): number {
    return this.#position;
  }

  get isSolved(): boolean {
    return isSame(this.tiles, this.goal);
  }

  /** Goes to a position; returns the moves that lead there. A move is the direction of its tile. */
  seek(position: number): Way[] {
    const target = Math.max(0, Math.min(this.moves.length, Math.trunc(position) || 0));
    const made: Way[] = [];
    while (this.#position !== target) {
      const isForward = this.#position < target;
      const next = this.moves[isForward ? this.#position : this.#position - 1]!;
      const way = isForward ? next : back[next];
      move(this.tiles, way, this.columns);
      this.#position += isForward ? 1 : -1;
      made.push(way);
    }
    return made;
  }

  /**
   * Slides the tiles between a cell and the blank; returns the moves. If a move equals the next
   * move of the timeline, the later moves stay; otherwise the move replaces all later moves.
   */
  slide(cell: number): Way[] {
    const made = line(this.tiles, cell, this.columns);
    for (const way of made) {
      if (this.moves[this.#position] !== way) this.moves.splice(this.#position, Infinity, way);
      this.seek(this.#position + 1);
    }
    return made;
  }
}

/** Calls `step` in each frame with the number of moves that are due at the chosen speed. */
export class Player {
  /** Moves per second. */
  speed = 4;
  readonly #step: (moves: number) => void;
  #frame: number | undefined;
  #last = 0;
  #owed = 0;

  constructor(step: (moves: number) => void) {
    this.#step = step;
  }

  get isPlaying(): boolean {
    return this.#frame !== undefined;
  }

  start(): void {
    if (this.isPlaying) return;
    this.#last = performance.now();
    // The first move is made immediately.
    this.#owed = 1;
    this.#frame = requestAnimationFrame(this.#tick);
  }

  stop(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#frame = undefined;
  }

  readonly #tick = (): void => {
    const now = performance.now();
    // A tab that was in the background does not catch up on missed moves.
    this.#owed += (Math.min(now - this.#last, 250) / 1000) * this.speed;
    this.#last = now;
    this.#frame = requestAnimationFrame(this.#tick);
    const due = Math.floor(this.#owed);
    this.#owed -= due;
    if (due > 0) this.#step(due);
  };
}
