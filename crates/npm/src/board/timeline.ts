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
