// Files that tests generate.
import { writeFileSync } from "node:fs";
import * as zlib from "node:zlib";
import UPNG from "upng-js";

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

function pngOf(width, height, data, depth = 8, kind = 2) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, kind, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", data),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Writes a PNG picture with a palette of 256 colours. */
export function smaller(bytes, file) {
  const picture = UPNG.decode(bytes);
  const { width, height } = picture;
  writeFileSync(file, Buffer.from(UPNG.encode([UPNG.toRGBA8(picture)[0]], width, height, 256)));
}
