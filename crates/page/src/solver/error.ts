/** Errors as sentences for the visitor, with a remedy. */
import type { DownloadError } from "sliding-tile-pdb";
import { text } from "../text/text.svelte.ts";

/** Error message for the page. */
export interface PageError {
  /** The `code` of an error of the package; "error" for all other errors. */
  code: string;
  text: string;
}

/** Whether the error is a cancellation, which needs no message. */
export function isCancelled(error: unknown): boolean {
  return codeOf(error) === "cancelled" || (error instanceof Error && error.name === "AbortError");
}

export function pageError(error: unknown): PageError {
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  const { remedies, offline } = text.errors;
  if (code === "download" && isOwnModule((error as DownloadError).url) && !navigator.onLine) {
    return { code, text: offline };
  }
  const parts = [sentence(message)];
  if (Object.hasOwn(remedies, code)) parts.push(remedies[code as keyof typeof remedies]);
  return { code, text: parts.join(" ") };
}

/**
 * Turns a message into a sentence: adds a full stop, and a capital letter unless the message starts
 * with an address or a file name.
 */
export function sentence(message: string): string {
  const words = message.trim();
  if (words === "") return text.errors.unknown;
  const isName = /^\S*[./:]\S/.test(words);
  const capital = isName ? words : words.charAt(0).toUpperCase() + words.slice(1);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}

/**
 * Whether the address is that of a WebAssembly module of this page. The browser stores a module
 * when it is first used, so an unused module cannot be loaded offline.
 */
const isOwnModule = (url: unknown): boolean =>
  typeof url === "string" &&
  url.startsWith(new URL(".", document.baseURI).href) &&
  url.endsWith(".wasm");

// Errors from a worker have lost their class, so their fields are checked instead.
function codeOf(error: unknown): string {
  if (typeof error === "object" && error !== null && "code" in error) {
    if (typeof error.code === "string") return error.code;
  }
  return "error";
}
