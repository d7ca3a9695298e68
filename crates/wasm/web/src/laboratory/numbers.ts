import { language } from "../text/text.svelte.ts";

/** A number with three digits that matter and its thousands parted, in the visitor's language. */
export function long(value: number): string {
  const size = Math.abs(value);
  const digits = size >= 100 || Number.isInteger(value) ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
  return value.toLocaleString(language.code, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}
