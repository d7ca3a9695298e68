import { describe, expect, it } from "vitest";
import { webAddress } from "./address.ts";
import { fitted, largest, refitted } from "./drawing.ts";
import { formatOf, isAnimated, isWholeJpeg } from "./source.ts";

describe("webAddress", () => {
  it("accepts web addresses, with or without https", () => {
    expect(webAddress(" https://example.org/cat.jpg ")?.href).toBe("https://example.org/cat.jpg");
    expect(webAddress("example.org/cat.jpg")?.href).toBe("https://example.org/cat.jpg");
    expect(webAddress("data:image/png;base64,AA==")?.protocol).toBe("data:");
  });

  it("rejects everything else", () => {
    for (const text of [
      "",
      "cat",
      "a cat.jpg",
      "file:///etc/passwd",
      "javascript:alert(1)",
      "ftp://a.b/c",
    ]) {
      expect(webAddress(text)).toBeNull();
    }
  });
});

const extent = { width: 400, height: 300 };

it("the largest crop of a ratio is centred and inside the picture", () => {
  expect(largest(extent, 1)).toEqual({ x: 50, y: 0, width: 300, height: 300 });
  expect(largest(extent, 4)).toEqual({ x: 0, y: 100, width: 400, height: 100 });
});

it("a crop for another ratio keeps its area and stays inside", () => {
  const crop = refitted({ x: 300, y: 200, width: 100, height: 100 }, 4, extent);
  expect(crop).toMatchObject({ width: 200, height: 50 });
  expect(crop.x + crop.width).toBeLessThanOrEqual(400);
  expect(refitted(largest(extent, 1), 20, extent)).toMatchObject({ x: 0, width: 400, height: 20 });
});

it("large pictures are reduced, and keep at least one pixel per side", () => {
  expect(fitted({ width: 12000, height: 9000 }, 1600)).toEqual({ width: 1600, height: 1200 });
  expect(fitted({ width: 20, height: 10 }, 1600)).toEqual({ width: 20, height: 10 });
  expect(fitted({ width: 60000, height: 1 }, 1600)).toEqual({ width: 1600, height: 1 });
});

const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

describe("formatOf", () => {
  it("depends only on the bytes", () => {
    expect(formatOf(bytes("\x89PNG\r\n\x1a\n"))).toBe("png");
    expect(formatOf(bytes("\xff\xd8\xff\xe0"))).toBe("jpeg");
    expect(formatOf(bytes("GIF89a"))).toBe("gif");
    expect(formatOf(bytes("RIFF\0\0\0\0WEBPVP8X"))).toBe("webp");
    expect(formatOf(bytes("\0\0\0\x18ftypheic\0\0\0\0mif1heic"))).toBe("heic");
    expect(formatOf(bytes("\0\0\0\x18ftypavif\0\0\0\0mif1miaf"))).toBe("avif");
    expect(formatOf(bytes("\xef\xbb\xbf<?xml version='1.0'?>\n<svg width='3'>"))).toBe("svg");
    expect(formatOf(bytes("<html><p>svg"))).toBeNull();
    expect(formatOf(bytes(""))).toBeNull();
  });

  it("detects truncated JPEG pictures", () => {
    const thumbnail = "\xff\xe1\0\x06\xff\xd8\xff\xd9";
    const pixels = "\xff\xda\0\x03\x01\x12\xff\0\x34";
    expect(isWholeJpeg(bytes(`\xff\xd8${thumbnail}${pixels}\xff\xd9`))).toBe(true);
    expect(isWholeJpeg(bytes(`\xff\xd8${thumbnail}${pixels}\xff\xd9video`))).toBe(true);
    expect(isWholeJpeg(bytes(`\xff\xd8${thumbnail}${pixels}`))).toBe(false);
    expect(isWholeJpeg(bytes(`\xff\xd8${thumbnail}`))).toBe(false);
    expect(isWholeJpeg(bytes("\xff\xd8"))).toBe(false);
  });

  it("detects animated pictures", () => {
    const gif = bytes("GIF89a......!\xff\x0bNETSCAPE2.0");
    expect(isAnimated(gif, "gif")).toBe(true);
    expect(isAnimated(bytes("GIF89a"), "gif")).toBe(false);
  });
});
