// Decodes pictures from files and addresses. If the browser rejects a picture, a PictureError is
// thrown.
import { drawing, type Extent, fitted, PictureError } from "./drawing.ts";
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

// Recognises file formats by their first bytes, for messages about rejected files.

export type Format = "png" | "jpeg" | "gif" | "webp" | "bmp" | "avif" | "heic" | "tiff" | "svg";

/** Number of bytes that the functions here need from the start of a file. */
export const headerBytes = 65536;

function ascii(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to));
}

function contains(bytes: Uint8Array, word: string): boolean {
  const first = word.charCodeAt(0);
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (ascii(bytes, at, at + word.length) === word) return true;
  }
  return false;
}

/** The format, found from the bytes: names and types of files are often wrong. */
export function formatOf(bytes: Uint8Array): Format | null {
  if (ascii(bytes, 1, 4) === "PNG") return "png";
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return "jpeg";
  if (ascii(bytes, 0, 4) === "GIF8") return "gif";
  if (ascii(bytes, 0, 4) === "RIFF" && ascii(bytes, 8, 12) === "WEBP") return "webp";
  if (ascii(bytes, 0, 2) === "BM") return "bmp";
  if (["II*\0", "MM\0*"].includes(ascii(bytes, 0, 4))) return "tiff";
  if (ascii(bytes, 4, 8) === "ftyp") {
    const brands = ascii(bytes, 8, 40);
    if (/avi[fs]/.test(brands)) return "avif";
    if (/hei[cxsm]|hev[cx]|mif1|msf1/.test(brands)) return "heic";
  }
  const start = ascii(bytes, 0, 4096);
  if (/^[\s\S]{0,3}\s*</.test(start) && /<svg[\s>]/.test(start)) return "svg";
  return null;
}

/** Whether a JPEG has its end marker. Thumbnails in the header have their own end markers. */
export function isWholeJpeg(bytes: Uint8Array): boolean {
  let at = 2;
  // Each segment before the pixels begins with a marker and a length. The length includes the bytes
  // of the length itself.
  while (bytes[at] === 0xff && bytes[at + 1] !== 0xda) {
    at += 2 + (((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0));
  }
  for (at = bytes.indexOf(0xff, at); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    if (bytes[at + 1] === 0xd9) return true;
  }
  return false;
}

/** Whether the file has several frames. Can miss files whose second frame is far from the start. */
export function isAnimated(bytes: Uint8Array, format: Format | null): boolean {
  if (format === "gif") return contains(bytes, "NETSCAPE2.0");
  if (format === "png") return contains(bytes, "acTL");
  if (format === "webp") return contains(bytes, "ANIM");
  return format === "avif" && ascii(bytes, 8, 12) === "avis";
}
