/** A board, the moves from it, and the current position in these moves. Does not draw. */
import { InputError } from "../error.js";
import { back, isSame, line, move, type Way } from "./rules.js";

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
