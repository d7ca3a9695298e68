// Decodes pictures from files and addresses. If the browser rejects a picture, a PictureError is
// thrown.

import { fitted, type Extent } from "./crop.ts";
import { drawing, PictureError } from "./drawing.ts";
import { formatOf, headerBytes, isAnimated, isWholeJpeg, type Format } from "./header.ts";
import { language, text } from "../text/text.svelte.ts";

/** A picture to work with: a blob of a moderate size in a format that all browsers show. */
export interface Source {
  blob: Blob;
  extent: Extent;
  /** A remark for the visitor, for example that only one frame of the file is used. */
  note: string | null;
}

/** The longer side of the picture stored for cropping, in pixels. */
const longestSide = 2400;
const mostBytes = 400e6;
const leastSide = 16;

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6).toLocaleString(language.code)} MB`;
}

/** Reads a picture from a file or a blob. */
export async function readPicture(file: Blob): Promise<Source> {
  if (file.size === 0) throw new PictureError(text.picture.empty);
  if (file.size > mostBytes) {
    throw new PictureError(text.picture.tooManyBytes(megabytes(file.size), megabytes(mostBytes)));
  }
  let header: Uint8Array;
  try {
    header = new Uint8Array(await file.slice(0, headerBytes).arrayBuffer());
  } catch {
    throw new PictureError(text.picture.fileGone);
  }
  const format = formatOf(header);
  const typed = format === "svg" ? await drawableSvg(file) : file;
  const url = URL.createObjectURL(typed);
  try {
    const image = await loaded(url, () => undecodable(format));
    const isCut = format === "jpeg" && !isWholeJpeg(new Uint8Array(await file.arrayBuffer()));
    const note = isAnimated(header, format)
      ? text.picture.animated
      : isCut
        ? text.picture.truncated
        : null;
    return { ...(await reduced(image, typed, format)), note };
  } finally {
    URL.revokeObjectURL(url);
  }
}

function undecodable(format: Format | null): PictureError {
  if (format === "heic") return new PictureError(text.picture.heic);
  if (format === "tiff") return new PictureError(text.picture.tiff);
  if (format !== null) return new PictureError(text.picture.damaged(format.toUpperCase()));
  return new PictureError(text.picture.notPicture);
}

/**
 * Loads the picture at an address. Throws `failure()` if loading fails or the picture has no size.
 */
async function loaded(url: string, failure: () => PictureError): Promise<HTMLImageElement> {
  const image = new Image();
  image.decoding = "async";
  await new Promise<void>((resolve, reject) => {
    image.onload = () => resolve();
    image.onerror = () => reject(failure());
    image.src = url;
  });
  if (image.naturalWidth === 0 || image.naturalHeight === 0) throw failure();
  return image;
}

/**
 * Reduces the picture to at most `longestSide` pixels per side. The result is upright: when
 * browsers draw a picture, they apply its EXIF orientation. `naturalWidth` is the width of the
 * upright picture.
 */
async function reduced(
  image: HTMLImageElement,
  blob: Blob,
  format: Format | null,
): Promise<{ blob: Blob; extent: Extent }> {
  const natural = { width: image.naturalWidth, height: image.naturalHeight };
  const size = text.picture.pixels(natural.width, natural.height);
  if (Math.min(natural.width, natural.height) < leastSide) {
    throw new PictureError(text.picture.tooSmall(size, leastSide));
  }
  const extent = fitted(natural, longestSide);
  if (Math.min(extent.width, extent.height) < leastSide) {
    throw new PictureError(text.picture.tooNarrow(size));
  }
  const tooLarge = new PictureError(text.picture.tooLarge(size));
  const drawn = await decoded(image, blob, extent, format).catch(() => null);
  if (drawn === null) throw tooLarge;
  try {
    return { blob: await drawingOf(drawn, extent), extent };
  } catch (error) {
    throw error instanceof PictureError ? error : tooLarge;
  } finally {
    if (drawn instanceof ImageBitmap) drawn.close();
  }
}

/**
 * The pixels of the picture. Some browsers can scale the picture during decoding. Decoding then
 * runs outside the main thread, and a huge picture is in memory only briefly.
 */
async function decoded(
  image: HTMLImageElement,
  blob: Blob,
  extent: Extent,
  format: Format | null,
): Promise<ImageBitmap | HTMLImageElement> {
  if (format !== "svg" && typeof createImageBitmap === "function") {
    try {
      const bitmap = await createImageBitmap(blob, {
        resizeWidth: extent.width,
        resizeHeight: extent.height,
        resizeQuality: "high",
        imageOrientation: "from-image",
      });
      if (bitmap.width === extent.width && bitmap.height === extent.height) return bitmap;
      bitmap.close();
    } catch {
      // Some browsers reject the options or the number of pixels; the fallback below can still
      // work.
    }
  }
  await image.decode();
  return image;
}

function drawingOf(drawn: ImageBitmap | HTMLImageElement, extent: Extent): Promise<Blob> {
  return drawing(extent, (context) => context.drawImage(drawn, 0, 0, extent.width, extent.height));
}

/** Adds a width and a height to the SVG; without them, some browsers draw nothing. */
async function drawableSvg(file: Blob): Promise<Blob> {
  const failure = new PictureError(text.picture.svgDamaged);
  const parsed = new DOMParser().parseFromString(await file.text(), "image/svg+xml");
  const root = parsed.documentElement;
  if (root.localName !== "svg" || parsed.querySelector("parsererror")) throw failure;
  const box = (root.getAttribute("viewBox") ?? "")
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const pixels = (name: string) => {
    const value = root.getAttribute(name) ?? "";
    return value.endsWith("%") ? NaN : parseFloat(value);
  };
  let [width, height] = [pixels("width"), pixels("height")];
  if (!(width > 0 && height > 0)) [width, height] = [box[2] ?? NaN, box[3] ?? NaN];
  if (!(width > 0 && height > 0)) [width, height] = [1, 1];
  if (!root.hasAttribute("viewBox")) root.setAttribute("viewBox", `0 0 ${width} ${height}`);
  // A vector drawing is sharp at every size, so it gets the size at which the board shows it.
  const scale = 1600 / Math.max(width, height);
  root.setAttribute("width", String(Math.max(1, Math.round(width * scale))));
  root.setAttribute("height", String(Math.max(1, Math.round(height * scale))));
  return new Blob([new XMLSerializer().serializeToString(root)], { type: "image/svg+xml" });
}
