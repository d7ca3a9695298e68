import { crc32 } from "./crc.ts";
import { deflateSync } from "node:zlib";

/** The page's sign, as in public/icon.svg, as a picture of so many pixels. */
export interface Icon {
  pixels: number;
  /** Filled to the edge, with the sign in the middle, for systems that cut their own shape. */
  isMaskable: boolean;
}

type Colour = readonly [number, number, number];
const back: Colour = [14, 106, 100];
const tile: Colour = [255, 255, 255];
const home: Colour = [169, 217, 209];

/** How much of a point lies in a rounded square, smoothed over a pixel. */
function inside(x: number, y: number, left: number, top: number, side: number, radius: number) {
  const half = side / 2;
  const dx = Math.abs(x - left - half) - half + radius;
  const dy = Math.abs(y - top - half) - half + radius;
  const distance =
    Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - radius;
  return Math.max(0, Math.min(1, 0.5 - distance));
}

/** The icon as a PNG file. */
export function iconPng({ pixels, isMaskable }: Icon): Uint8Array {
  const scale = pixels / 32;
  const shrink = isMaskable ? 0.72 : 1;
  const at = (place: number) => (16 + (place - 16) * shrink) * scale;
  const rows = Buffer.alloc(pixels * (1 + pixels * 4));
  for (let y = 0; y < pixels; y++) {
    for (let x = 0; x < pixels; x++) {
      const [px, py] = [x + 0.5, y + 0.5];
      let colour: Colour = back;
      for (const cell of [0, 1, 2]) {
        const [left, top] = [at(cell % 2 ? 17 : 6), at(cell > 1 ? 17 : 6)];
        const share = inside(px, py, left, top, 9 * shrink * scale, 2 * shrink * scale);
        colour = mix(colour, cell === 0 ? home : tile, share);
      }
      const alpha = isMaskable ? 1 : inside(px, py, 0, 0, pixels, 8 * scale);
      const start = y * (1 + pixels * 4) + 1 + x * 4;
      rows.set([...colour.map(Math.round), Math.round(alpha * 255)], start);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(pixels, 0);
  header.writeUInt32BE(pixels, 4);
  // Eight bits for each of red, green, blue and alpha.
  header.set([8, 6, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

const mix = (one: Colour, other: Colour, share: number): Colour => [
  one[0] + (other[0] - one[0]) * share,
  one[1] + (other[1] - one[1]) * share,
  one[2] + (other[2] - one[2]) * share,
];

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
