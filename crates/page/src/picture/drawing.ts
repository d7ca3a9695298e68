import type { Extent } from "./crop.ts";
import { text } from "../text/text.svelte.ts";

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
