// Geometry of cropping: rectangles with a given ratio inside a picture, in pixels of the picture.

export interface Extent {
  width: number;
  height: number;
}

export interface Rectangle extends Extent {
  x: number;
  y: number;
}

/** The position and the magnification of a picture under its frame. */
export interface View {
  crop: { x: number; y: number };
  zoom: number;
}

const clamp = (value: number, low: number, high: number) =>
  Math.min(Math.max(value, low), Math.max(low, high));

/** The largest centred rectangle with a ratio (width by height). */
export function largest(extent: Extent, ratio: number): Rectangle {
  const width = Math.min(extent.width, extent.height * ratio);
  const height = width / ratio;
  return { x: (extent.width - width) / 2, y: (extent.height - height) / 2, width, height };
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
