// Files that tests generate.
import { writeFileSync } from "node:fs";
import * as zlib from "node:zlib";

const { crc32, deflateSync } = zlib;

function crc(bytes) {
  if (crc32) return crc32(bytes);
  // Node 20 has no crc32.
  let sum = ~0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}

function chunk(type, data) {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const body = Buffer.concat([Buffer.from(type), data]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc(body));
  return Buffer.concat([length, body, sum]);
}

/** A PNG picture; `colour(x, y)` returns red, green and blue. */
export function png(width, height, colour) {
  const row = 1 + 3 * width;
  const pixels = Buffer.alloc(row * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) pixels.set(colour(x, y), y * row + 1 + 3 * x);
  }
  return pngOf(width, height, deflateSync(pixels));
}

/** A grey PNG of any size, in very few bytes. */
export function greyPng(width, height) {
  return pngOf(width, height, deflateSync(Buffer.alloc(Math.ceil(width / 8 + 1) * height)), 1, 0);
}

function pngOf(width, height, data, depth = 8, kind = 2, palette = Buffer.alloc(0)) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, kind, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    palette,
    chunk("IDAT", data),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** The pixels of a picture, decoded by the page: red, green, blue and opacity. */
async function pixelsOf(page, bytes) {
  const { width, height, data } = await page.evaluate(async (text) => {
    const blob = new Blob([Uint8Array.from(atob(text), (each) => each.charCodeAt(0))]);
    const bitmap = await createImageBitmap(blob);
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    context.drawImage(bitmap, 0, 0);
    const { width, height, data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    let binary = "";
    for (let i = 0; i < data.length; i += 32_768) {
      binary += String.fromCharCode(...data.subarray(i, i + 32_768));
    }
    return { width, height, data: btoa(binary) };
  }, bytes.toString("base64"));
  return { width, height, data: Buffer.from(data, "base64") };
}

/**
 * Writes a picture as a PNG with a palette of its 256 most frequent colours. In a screenshot, all
 * other colours are close to one of these.
 */
export async function smaller(page, bytes, file) {
  const { width, height, data } = await pixelsOf(page, bytes);
  // Nearly equal colours count as one colour.
  const counts = new Map();
  const keyAt = (i) => ((data[i] >> 1) << 14) | ((data[i + 1] >> 1) << 7) | (data[i + 2] >> 1);
  for (let i = 0; i < data.length; i += 4) {
    const key = keyAt(i);
    const known = counts.get(key);
    if (known) known.count++;
    else counts.set(key, { count: 1, colour: [data[i], data[i + 1], data[i + 2]] });
  }
  const palette = [...counts.values()]
    .sort((a, b) => b.count - a.count)
    .slice(0, 256)
    .map(({ colour }) => colour);
  const nearest = new Map();
  for (const [key, { colour }] of counts) {
    let [best, least] = [0, Infinity];
    palette.forEach((other, index) => {
      const distance = other.reduce((sum, each, i) => sum + (each - colour[i]) ** 2, 0);
      if (distance < least) [best, least] = [index, distance];
    });
    nearest.set(key, best);
  }
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      rows[y * (width + 1) + 1 + x] = nearest.get(keyAt(4 * (y * width + x)));
    }
  }
  const colours = chunk("PLTE", Buffer.from(palette.flat()));
  writeFileSync(file, pngOf(width, height, deflateSync(rows, { level: 9 }), 8, 3, colours));
}
