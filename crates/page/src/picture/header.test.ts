import { describe, expect, it } from "vitest";
import { formatOf, isAnimated, isWholeJpeg } from "./header.ts";

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
