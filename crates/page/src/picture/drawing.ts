import { text } from "../text/text.svelte.ts";

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

/** Calls `draw` on a white canvas of the given size, and returns a compressed picture. */
export async function drawing(
  extent: Extent,
  draw: (context: CanvasRenderingContext2D) => void,
  type: "image/jpeg" | "image/png" = "image/jpeg",
): Promise<Blob> {
  const canvas = document.createElement("canvas");
  canvas.width = extent.width;
  canvas.height = extent.height;
  const context = canvas.getContext("2d");
  if (context === null) throw new PictureError(text.picture.noMemory);
  context.imageSmoothingQuality = "high";
  context.fillStyle = "#fff";
  context.fillRect(0, 0, extent.width, extent.height);
  try {
    draw(context);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, 0.92));
    if (blob !== null) return blob;
  } catch (error) {
    // A canvas with foreign content, such as SVG in some browsers, cannot be read.
    if (!(error instanceof DOMException)) throw error;
    throw new PictureError(text.picture.foreign);
  } finally {
    canvas.width = canvas.height = 0; // frees it at once
  }
  throw new PictureError(text.picture.notKept);
}

/** An error about an unusable picture; the message is one or two sentences for the visitor. */
export class PictureError extends Error {
  override name = "PictureError";
}
