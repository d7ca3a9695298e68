// Pictures that tests generate.
import { writeFileSync } from "node:fs";
import { crc32, deflateSync } from "node:zlib";
import UPNG from "upng-js";

/** A PNG picture; `colour(x, y)` returns red, green and blue. */
export function png(width, height, colour) {
  const pixels = new Uint8Array(4 * width * height).fill(255);
  for (let at = 0; at < width * height; at++) {
    pixels.set(colour(at % width, Math.floor(at / width)), 4 * at);
  }
  return Buffer.from(UPNG.encode([pixels.buffer], width, height, 0));
}

/** A grey PNG of any size, in very few bytes. */
export function greyPng(width, height) {
  const header = Buffer.from([...Array(8).fill(0), 1, 0, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const data = deflateSync(Buffer.alloc(Math.ceil(width / 8 + 1) * height));
  const chunks = Object.entries({ IHDR: header, IDAT: data, IEND: Buffer.alloc(0) });
  const parts = chunks.flatMap(([type, data]) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return [length, body, sum];
  });
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...parts]);
}

/** Writes a PNG picture with a palette of 256 colours. */
export function smaller(bytes, file) {
  const picture = UPNG.decode(bytes);
  const { width, height } = picture;
  writeFileSync(file, Buffer.from(UPNG.encode([UPNG.toRGBA8(picture)[0]], width, height, 256)));
}
