// Output of scripts/licences.ts, made when the page is built.

export interface Listing {
  packages: {
    name: string;
    version: string;
    licence: string;
    part: "page" | "solver";
    /** Indexes into `texts`: many packages share a text. */
    texts: number[];
  }[];
  texts: string[];
  /** The reason why the list is incomplete. */
  missing: string | null;
}

/** @throws Error if this is not a listing, such as a host's page for a missing file */
export function listingOf(value: unknown): Listing {
  const listing = value as Partial<Listing> | null;
  if (!Array.isArray(listing?.packages) || !Array.isArray(listing.texts)) {
    throw new Error("no list of licences");
  }
  return { packages: listing.packages, texts: listing.texts, missing: listing.missing ?? null };
}
