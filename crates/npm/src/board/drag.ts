/** Tiles that follow the pointer. Positions are in cells, independent of the size on screen. */
import { lineCells } from "./rules.js";

/** A position on the board, in cells from its upper left corner. */
export interface Place {
  x: number;
  y: number;
}

/**
 * Upper limits for a tap. A `LineDrag` is a tap if its movement is below either limit. For a
 * `FreeDrag`, only the limit in pixels applies.
 */
const TAP = { cells: 0.12, pixels: 6 };

/** The drag of a tile together with the line of tiles between it and the blank. */
export class LineDrag {
  readonly tiles: ReadonlySet<number>;
  /** Distance that the line has moved, from 0 to 1 cell. */
  progress = 0;
  readonly dx: number;
  readonly dy: number;
  #most = 0;
  readonly #begun = performance.now();

  constructor(
    tiles: readonly number[],
    columns: number,
    readonly cell: number,
    readonly origin: Place,
  ) {
    const cells = lineCells(tiles, cell, columns);
    this.tiles = new Set(cells.map((at) => tiles[at]!));
    const blank = tiles.indexOf(0);
    this.dx = Math.sign((blank % columns) - (cell % columns));
    this.dy = Math.sign(Math.floor(blank / columns) - Math.floor(cell / columns));
  }

  move(to: Place): void {
    const along = (to.x - this.origin.x) * this.dx + (to.y - this.origin.y) * this.dy;
    this.progress = Math.max(0, Math.min(1, along));
    const away = Math.hypot(to.x - this.origin.x, to.y - this.origin.y);
    this.#most = Math.max(this.#most, away);
  }

  /** Whether the drag ends with a slide: after a tap, a flick, or a drag of about half a cell. */
  ends(pixels: number): boolean {
    const isTap = this.#most < TAP.cells || this.#most * pixels < TAP.pixels;
    const isFlick = performance.now() - this.#begun < 250 && this.progress > 0.15;
    return isTap || isFlick || this.progress > 0.45;
  }
}

/** The drag of a tile to any cell, to swap it with another tile. */
export class FreeDrag {
  offset: Place = { x: 0, y: 0 };
  /** The cell under the pointer; -1 off the board. */
  over: number;
  isMoved = false;

  constructor(
    readonly cell: number,
    readonly origin: Place,
  ) {
    this.over = cell;
  }

  move(to: Place, over: number, pixels: number): void {
    this.offset = { x: to.x - this.origin.x, y: to.y - this.origin.y };
    this.over = over;
    if (Math.hypot(this.offset.x, this.offset.y) * pixels > TAP.pixels) this.isMoved = true;
  }
}
