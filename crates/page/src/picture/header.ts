// Recognises file formats by their first bytes, for messages about rejected files.

export type Format = "png" | "jpeg" | "gif" | "webp" | "bmp" | "avif" | "heic" | "tiff" | "svg";

/** Number of bytes that the functions here need from the start of a file. */
export const headerBytes = 65536;

function text(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to));
}

function contains(bytes: Uint8Array, word: string): boolean {
  const first = word.charCodeAt(0);
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (text(bytes, at, at + word.length) === word) return true;
  }
  return false;
}

/** The format, found from the bytes: names and types of files are often wrong. */
export function formatOf(bytes: Uint8Array): Format | null {
  if (text(bytes, 1, 4) === "PNG") return "png";
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return "jpeg";
  if (text(bytes, 0, 4) === "GIF8") return "gif";
  if (text(bytes, 0, 4) === "RIFF" && text(bytes, 8, 12) === "WEBP") return "webp";
  if (text(bytes, 0, 2) === "BM") return "bmp";
  if (["II*\0", "MM\0*"].includes(text(bytes, 0, 4))) return "tiff";
  if (text(bytes, 4, 8) === "ftyp") {
    const brands = text(bytes, 8, 40);
    if (/avi[fs]/.test(brands)) return "avif";
    if (/hei[cxsm]|hev[cx]|mif1|msf1/.test(brands)) return "heic";
  }
  const start = text(bytes, 0, 4096);
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
  return format === "avif" && text(bytes, 8, 12) === "avis";
}
