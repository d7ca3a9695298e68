// A picture from an address on the web. It is fetched by this browser alone, and most other sites
// forbid pages to read their pictures: then saving and dropping is the way.

import { PictureError } from "./error.ts";

const patience = 20_000;
const instead = "Open the picture in another tab, save it, and drop the file here.";

/** The address, if it is one of the web. */
export function webAddress(text: string): URL | null {
  const trimmed = text.trim();
  const url = URL.canParse(trimmed)
    ? new URL(trimmed)
    : URL.canParse(`https://${trimmed}`) && /^[^\s/]+\.[^\s]+$/.test(trimmed)
      ? new URL(`https://${trimmed}`)
      : null;
  return url !== null && ["http:", "https:", "data:"].includes(url.protocol) ? url : null;
}

/** The bytes behind an address. */
export async function fetchPicture(text: string): Promise<Blob> {
  const url = webAddress(text);
  if (url === null) {
    throw new PictureError(
      "This is not the address of a picture: expected one such as https://example.org/cat.jpg",
    );
  }
  if (url.protocol === "data:") return fromData(url.href);
  // The page's policy allows other hosts by https alone.
  if (url.protocol === "http:" && url.origin !== location.origin) url.protocol = "https:";
  const where = url.host;
  let isForbiddenHere = false;
  const hear = (event: SecurityPolicyViolationEvent) => {
    if (event.blockedURI.includes(where)) isForbiddenHere = true;
  };
  document.addEventListener("securitypolicyviolation", hear);
  try {
    const response = await fetch(url, {
      credentials: "omit",
      referrerPolicy: "no-referrer",
      signal: AbortSignal.timeout(patience),
    });
    if (!response.ok) {
      throw new PictureError(
        `${where} answers ${response.status}: there is no picture at this address.`,
      );
    }
    const type = response.headers.get("content-type") ?? "";
    if (/^text\/html/.test(type)) {
      throw new PictureError(
        "This is the address of a page, not of a picture. " +
          'Choose "Copy image address" on the picture, or save it and drop the file here.',
      );
    }
    return await response.blob();
  } catch (error) {
    if (error instanceof PictureError) throw error;
    if (error instanceof DOMException && error.name === "TimeoutError") {
      throw new PictureError(`${where} did not answer within 20 seconds. ${instead}`);
    }
    // The report of a violation is an event of its own, which may come after the refusal.
    await new Promise((resolve) => setTimeout(resolve, 20));
    throw new PictureError(
      !navigator.onLine
        ? "There is no connection. A picture from a file works without one."
        : isForbiddenHere
          ? `This page may not load from ${url.protocol}//${where}. ${instead}`
          : `${where} cannot be reached, or it does not let other pages use its pictures. ${instead}`,
    );
  } finally {
    document.removeEventListener("securitypolicyviolation", hear);
  }
}

/** Read here and not by `fetch`: a page may forbid itself all connections. */
function fromData(text: string): Blob {
  const comma = text.indexOf(",");
  const head = text.slice(5, Math.max(5, comma));
  try {
    const body = decodeURIComponent(text.slice(comma + 1));
    const bytes = head.endsWith(";base64")
      ? Uint8Array.from(atob(body), (letter) => letter.charCodeAt(0))
      : new TextEncoder().encode(body);
    return new Blob([bytes], { type: head.split(";")[0] ?? "" });
  } catch {
    throw new PictureError("This data: address is damaged: it cannot be read.");
  }
}
