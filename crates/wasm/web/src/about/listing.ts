// Output of scripts/licences.ts when the page is built.

export interface Listing {
  packages: {
    name: string;
    version: string;
    licence: string;
    part: "page" | "solver";
    /** Numbers of texts: many packages share one. */
    texts: number[];
  }[];
  texts: string[];
  /** Why the list is not complete. */
  missing: string | null;
}

/** @throws Error if this is no listing, such as the page that some hosts send for a lost file */
export function listingOf(value: unknown): Listing {
  const listing = value as Partial<Listing> | null;
  if (!Array.isArray(listing?.packages) || !Array.isArray(listing.texts)) {
    throw new Error("no list of licences");
  }
  return { packages: listing.packages, texts: listing.texts, missing: listing.missing ?? null };
}
