/** Errors as sentences that a visitor can act on. */
import { text } from "../text/text.svelte.ts";

/** Error message for the page. */
export interface PageError {
  /** The code of the package's error classes, or "error". */
  code: string;
  text: string;
}

/** Whether this is the answer to a cancellation, which needs no message. */
export function isCancelled(error: unknown): boolean {
  return codeOf(error) === "cancelled" || (error instanceof Error && error.name === "AbortError");
}

export function pageError(error: unknown): PageError {
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  const { remedies } = text.errors;
  const parts = [sentence(message)];
  if (Object.hasOwn(remedies, code)) parts.push(remedies[code as keyof typeof remedies]);
  return { code, text: parts.join(" ") };
}

/** A message with a capital letter first, unless that is an address or a file, and a full stop. */
export function sentence(message: string): string {
  const words = message.trim();
  if (words === "") return text.errors.unknown;
  const isName = /^\S*[./:]\S/.test(words);
  const capital = isName ? words : words.charAt(0).toUpperCase() + words.slice(1);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}

// By shape, not by class: errors that crossed a worker's border must do as well.
function codeOf(error: unknown): string {
  if (typeof error === "object" && error !== null && "code" in error) {
    if (typeof error.code === "string") return error.code;
  }
  return "error";
}
