/** Errors as sentences that a visitor can act on. */

/** What went wrong, for the page. */
export interface PageError {
  /** The code of the package's error classes, or "error". */
  code: string;
  text: string;
}

/** The way out, for codes whose message alone does not name one. */
const WAYS_OUT: Record<string, string> = {
  memory: "Choose a smaller partition, or no tables.",
  download: "Check the address and the connection, then try again.",
  storage: "The tables work all the same, but are not kept for the next visit.",
  unsupported: "A newer browser is needed.",
};

/** Whether this is the answer to a cancellation: nobody needs to hear of it. */
export function isCancelled(error: unknown): boolean {
  return codeOf(error) === "cancelled" || (error instanceof Error && error.name === "AbortError");
}

export function pageError(error: unknown): PageError {
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  const way = WAYS_OUT[code];
  return { code, text: way === undefined ? sentence(message) : `${sentence(message)} ${way}` };
}

/** A message with a capital letter first, unless that is an address or a file, and a full stop. */
export function sentence(message: string): string {
  const text = message.trim();
  if (text === "") return "Something went wrong, and nothing says what.";
  const isName = /^\S*[./:]\S/.test(text);
  const capital = isName ? text : text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}

// By shape, not by class: errors that crossed a worker's border must do as well.
function codeOf(error: unknown): string {
  if (typeof error === "object" && error !== null && "code" in error) {
    if (typeof error.code === "string") return error.code;
  }
  return "error";
}
