/** Layout of a contact sheet: drawings of one size in rows, each with a caption, below a title. */

/** Lengths in pixels. */
export const MARGIN = 40;
/** Height of the title and the sentence below it. */
const HEAD = 90;
const GAP = 24;
const CAPTION = 32;
/** Minimum width of the sheet, so that the sentence fits. */
const LEAST_WIDTH = 600;

/** Positions of drawings of one size on a nearly square contact sheet. */
export function contactLayout(count: number, width: number, height: number) {
  const across = Math.max(
    1,
    Math.min(count, Math.round(Math.sqrt((count * (height + CAPTION + GAP)) / (width + GAP)))),
  );
  const down = Math.ceil(count / across);
  return {
    width: Math.max(LEAST_WIDTH, 2 * MARGIN + across * (width + GAP) - GAP),
    height: HEAD + down * (height + CAPTION + GAP) - GAP + MARGIN,
    place: (index: number) => ({
      x: MARGIN + (index % across) * (width + GAP),
      y: HEAD + Math.floor(index / across) * (height + CAPTION + GAP),
    }),
  };
}
