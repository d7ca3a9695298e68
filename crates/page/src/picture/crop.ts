// Geometry of cropping: rectangles with a given ratio inside a picture, in pixels of the picture.

export interface Extent {
  width: number;
  height: number;
}

export interface Rectangle extends Extent {
  x: number;
  y: number;
}

/** Corners and sides, named by compass directions. */
export const handles = ["nw", "n", "ne", "e", "se", "s", "sw", "w"] as const;
export type Handle = (typeof handles)[number];

const clamp = (value: number, low: number, high: number) =>
  Math.min(Math.max(value, low), Math.max(low, high));

/** The largest centred rectangle with a ratio (width by height). */
export function largest(extent: Extent, ratio: number): Rectangle {
  const width = Math.min(extent.width, extent.height * ratio);
  const height = width / ratio;
  return { x: (extent.width - width) / 2, y: (extent.height - height) / 2, width, height };
}

/** The rectangle, moved within the picture. */
export function moved(crop: Rectangle, dx: number, dy: number, extent: Extent): Rectangle {
  return {
    ...crop,
    x: clamp(crop.x + dx, 0, extent.width - crop.width),
    y: clamp(crop.y + dy, 0, extent.height - crop.height),
  };
}

/** The minimum width of a crop: both sides have at least 16 pixels if the picture is that large. */
function leastWidth(extent: Extent, ratio: number): number {
  return Math.min(Math.max(16, 16 * ratio), largest(extent, ratio).width);
}

/**
 * The rectangle after a handle was dragged, with the same ratio. The corner or side opposite the
 * handle stays. With a handle on a side, the two adjacent sides move equally. If one of them would
 * leave the picture, the rectangle is shifted back into the picture.
 */
export function resized(
  crop: Rectangle,
  handle: Handle,
  dx: number,
  dy: number,
  extent: Extent,
): Rectangle {
  const ratio = crop.width / crop.height;
  const toEast = handle.includes("e");
  const toWest = handle.includes("w");
  const toSouth = handle.includes("s");
  const toNorth = handle.includes("n");
  const wider = toEast ? dx : toWest ? -dx : 0;
  const taller = (toSouth ? dy : toNorth ? -dy : 0) * ratio;
  // A corner follows the pointer either horizontally or vertically, whichever changes the size
  // more. The ratio determines the other direction.
  const growth = Math.abs(wider) >= Math.abs(taller) ? wider : taller;
  const right = crop.x + crop.width;
  const bottom = crop.y + crop.height;
  const roomX = toEast ? extent.width - crop.x : toWest ? right : extent.width;
  const roomY = toSouth ? extent.height - crop.y : toNorth ? bottom : extent.height;
  const most = Math.min(roomX, roomY * ratio);
  const width = clamp(crop.width + growth, Math.min(leastWidth(extent, ratio), most), most);
  const height = width / ratio;
  const x = toEast ? crop.x : toWest ? right - width : crop.x + (crop.width - width) / 2;
  const y = toSouth ? crop.y : toNorth ? bottom - height : crop.y + (crop.height - height) / 2;
  return {
    x: clamp(x, 0, extent.width - width),
    y: clamp(y, 0, extent.height - height),
    width,
    height,
  };
}

/**
 * Widens the crop by `by` pixels. The ratio stays the same. The centre moves only if the crop would
 * otherwise exceed the picture.
 */
export function grown(crop: Rectangle, by: number, extent: Extent): Rectangle {
  const ratio = crop.width / crop.height;
  const most = largest(extent, ratio).width;
  const width = clamp(crop.width + by, leastWidth(extent, ratio), most);
  const height = width / ratio;
  return {
    x: clamp(crop.x + (crop.width - width) / 2, 0, extent.width - width),
    y: clamp(crop.y + (crop.height - height) / 2, 0, extent.height - height),
    width,
    height,
  };
}

/** The rectangle with another ratio, the same centre and about the same area. */
export function refitted(crop: Rectangle, ratio: number, extent: Extent): Rectangle {
  const width = Math.min(Math.sqrt(crop.width * crop.height * ratio), largest(extent, ratio).width);
  const height = width / ratio;
  return {
    x: clamp(crop.x + (crop.width - width) / 2, 0, extent.width - width),
    y: clamp(crop.y + (crop.height - height) / 2, 0, extent.height - height),
    width,
    height,
  };
}

/** Reduces the size if a side exceeds `longest`. Each side keeps at least one pixel. */
export function fitted(extent: Extent, longest: number): Extent {
  const scale = Math.min(1, longest / Math.max(extent.width, extent.height));
  return {
    width: Math.max(1, Math.round(extent.width * scale)),
    height: Math.max(1, Math.round(extent.height * scale)),
  };
}
