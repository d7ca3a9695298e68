// A picture from a web address. The browser loads it directly. Most sites do not allow other pages
// to read their pictures; such a picture can be saved and dropped onto the page.

import { PictureError } from "./drawing.ts";
import { text } from "../text/text.svelte.ts";

const timeLimit = 20_000;

/** Parses an http, https or data address; `null` for any other text. */
export function webAddress(address: string): URL | null {
  const trimmed = address.trim();
  const url = URL.canParse(trimmed)
    ? new URL(trimmed)
    : URL.canParse(`https://${trimmed}`) && /^[^\s/]+\.[^\s]+$/.test(trimmed)
      ? new URL(`https://${trimmed}`)
      : null;
  return url !== null && ["http:", "https:", "data:"].includes(url.protocol) ? url : null;
}

/** The bytes at an address. */
export async function fetchPicture(address: string): Promise<Blob> {
  const url = webAddress(address);
  if (url === null) {
    throw new PictureError(text.picture.notAddress);
  }
  if (url.protocol === "data:") return fromData(url.href);
  // The page's policy allows other hosts only with https.
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
      signal: AbortSignal.timeout(timeLimit),
    });
    if (!response.ok) {
      throw new PictureError(text.picture.answers(where, response.status));
    }
    const type = response.headers.get("content-type") ?? "";
    if (/^text\/html/.test(type)) {
      throw new PictureError(text.picture.isPage);
    }
    return await response.blob();
  } catch (error) {
    if (error instanceof PictureError) throw error;
    if (error instanceof DOMException && error.name === "TimeoutError") {
      throw new PictureError(text.picture.noAnswer(where, timeLimit / 1000));
    }
    // If the page's policy blocked the request, the browser reports this in a separate event,
    // possibly after `fetch` has failed. The delay lets that event arrive.
    await new Promise((resolve) => setTimeout(resolve, 20));
    throw new PictureError(
      !navigator.onLine
        ? text.picture.offline
        : isForbiddenHere
          ? text.picture.forbidden(`${url.protocol}//${where}`)
          : text.picture.unreachable(where),
    );
  } finally {
    document.removeEventListener("securitypolicyviolation", hear);
  }
}

/** Decodes a `data:` address without `fetch`, which a page's policy can forbid. */
function fromData(address: string): Blob {
  const comma = address.indexOf(",");
  const head = address.slice(5, Math.max(5, comma));
  try {
    const body = decodeURIComponent(address.slice(comma + 1));
    const bytes = head.endsWith(";base64")
      ? Uint8Array.from(atob(body), (letter) => letter.charCodeAt(0))
      : new TextEncoder().encode(body);
    return new Blob([bytes], { type: head.split(";")[0] ?? "" });
  } catch {
    throw new PictureError(text.picture.dataDamaged);
  }
}
