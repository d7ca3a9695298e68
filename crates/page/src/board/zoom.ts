/**
 * Geometry of a board that can be magnified. Lengths are in pixels; points are relative to the
 * corner of the view.
 */

/** Tile width below which magnification is offered. */
const comfortable = 32;
/** Width of a tile at the largest magnification. */
const widest = 72;
/** Width of the column of buttons beside the board, or height of the row of buttons below it. */
export const buttonRoom = 52;
/** Margin around the board, for its frame. */
export const margin = 16;

export interface Extent {
  width: number;
  height: number;
}

/**
 * Width of the largest board that fits into a rectangle with its margin, at most `largest`. `ratio`
 * is the board's width divided by its height.
 */
export const fitting = ({ width, height }: Extent, ratio: number, largest: number): number =>
  Math.max(0, Math.min(width - margin, (height - margin) * ratio, largest));

/**
 * Layout of a board and its magnification buttons. `side` is the width of the unmagnified board.
 * `most` is the largest magnification, 1 if the board cannot be magnified. `buttons` is the place
 * of the buttons, chosen so that `side` is as large as possible.
 */
export function layOut(room: Extent, columns: number, rows: number, largest: number) {
  const ratio = columns / rows;
  const whole = fitting(room, ratio, largest);
  if (whole === 0 || whole / columns >= comfortable) {
    return { side: whole, most: 1, buttons: "right" as const };
  }
  const beside = fitting({ ...room, width: room.width - buttonRoom }, ratio, largest);
  const below = fitting({ ...room, height: room.height - buttonRoom }, ratio, largest);
  const side = Math.max(beside, below);
  const buttons = beside >= below ? ("right" as const) : ("bottom" as const);
  return { side, most: Math.max(1, (widest * columns) / Math.max(1, side)), buttons };
}

export const clamp = (value: number, least: number, most: number): number =>
  Math.max(least, Math.min(most, value));

/** Offset of the board in its view: centred if it fits, otherwise set by the scroll position. */
export const origin = (view: number, board: number, scrolled: number): number =>
  view > board + margin ? (view - board) / 2 : margin / 2 - scrolled;

/**
 * The scroll position that puts the position `share` on the board, from 0 to 1, at the coordinate
 * `point` of the view.
 */
export const scrollFor = (share: number, board: number, point: number): number =>
  share * board + margin / 2 - point;

/** The nearest scroll position at which a cell and one neighbour on each side are visible. */
export function scrollToCell(scrolled: number, view: number, cell: number, index: number): number {
  const begin = margin / 2 + (index - 1) * cell;
  const end = begin + 3 * cell;
  if (begin < scrolled || 3 * cell > view) return begin;
  return end > scrolled + view ? end - view : scrolled;
}
