/**
 * Geometry of a board that can be magnified. Lengths are in pixels; points are relative to the
 * corner of the view.
 */

/** Tile width below which magnification is offered. */
const comfortable = 32;
/** Width of a tile at the largest magnification. */
const widest = 72;
/** Width of the two buttons beside the board. */
export const buttonRoom = 52;
/** Margin around the board, for its frame. */
export const margin = 16;

export interface Extent {
  width: number;
  height: number;
}

/** Width of the largest board of a shape within a rectangle. */
export const fitting = ({ width, height }: Extent, ratio: number, largest: number): number =>
  Math.max(0, Math.min(width - margin, (height - margin) * ratio, largest));

/**
 * Width of the unmagnified board, the largest magnification (1 if the board cannot be magnified),
 * and the side for the buttons that leaves more room for the board.
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
 * The scroll position for which a part of the board lies at a point of the view. `share` is the
 * position of that part on the board, from 0 to 1.
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
