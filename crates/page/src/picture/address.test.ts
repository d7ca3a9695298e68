import { describe, expect, it } from "vitest";
import { webAddress } from "./address.ts";

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
