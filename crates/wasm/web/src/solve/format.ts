/** Numbers for people. All are short enough for places of fixed width. */

const WHOLE = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const THREE_DIGITS = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });

/** `12,345`; from a million on `1.23 M`. */
export function countText(count: number): string {
  if (count < 1e6) return WHOLE.format(count);
  if (count < 999.5e6) return `${THREE_DIGITS.format(count / 1e6)} M`;
  return `${THREE_DIGITS.format(count / 1e9)} G`;
}

/** `0.4 ms`, `12 ms`, `3.4 s`, `2 min 5 s`. */
export function timeText(ms: number): string {
  if (ms < 10) return `${THREE_DIGITS.format(Math.max(0.1, Math.round(ms * 10) / 10))} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** `512 B`, `2.81 MB`: powers of a thousand, as browsers show them. */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 999_500) return `${THREE_DIGITS.format(bytes / 1e3)} kB`;
  if (bytes < 999.5e6) return `${THREE_DIGITS.format(bytes / 1e6)} MB`;
  return `${THREE_DIGITS.format(bytes / 1e9)} GB`;
}

/** `1 move`, `12 moves`. */
export function plural(count: number, noun: string, nouns = `${noun}s`): string {
  return `${WHOLE.format(count)} ${count === 1 ? noun : nouns}`;
}

const DIRECTIONS: Record<string, string> = { U: "up", D: "down", L: "left", R: "right" };

/** `U` is `up`. */
export function directionText(letter: string): string {
  return DIRECTIONS[letter] ?? letter;
}
