import { describe, expect, it } from "vitest";
import { listingOf } from "./listing.ts";

describe("listingOf", () => {
  it("takes listings and nothing else", () => {
    expect(listingOf({ packages: [], texts: [] })).toEqual({
      packages: [],
      texts: [],
      missing: null,
    });
    for (const wrong of [null, "<html>", [], { packages: 1 }]) {
      expect(() => listingOf(wrong)).toThrow();
    }
  });
});
