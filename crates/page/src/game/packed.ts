/**
 * Moves in an address. Short lists are readable letters with counts, such as `U2RD`. Longer lists
 * are packed into base64url, three moves per character. They begin with the number of moves, such
 * as `.2713.`, which reveals truncated links.
 */
import { text } from "../text/text.svelte.ts";
import type { Way } from "./rules.ts";

/** Maximum number of characters of readable moves; longer lists are packed. */
const LONGEST_READABLE = 300;
const SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const WAYS: readonly Way[] = ["U", "D", "L", "R"];

/** Packs moves, given as single letters, for an address. */
export function packMoves(letters: string): string {
  const counted = letters.replace(/(.)\1+/g, (run, way: string) => `${way}${run.length}`);
  if (counted.length <= LONGEST_READABLE) return counted;
  let packed = "";
  for (let at = 0; at < letters.length; at += 3) {
    let value = 0;
    for (let next = at; next < at + 3; next++) {
      value = 4 * value + Math.max(0, WAYS.indexOf(letters[next] as Way));
    }
    packed += SIGNS[value];
  }
  return `.${letters.length}.${packed}`;
}

/**
 * Unpacks moves into single letters; `null` if the text is not packed.
 * @throws Error with a sentence for the visitor
 */
export function unpackMoves(packed: string): string | null {
  const [, number, signs] = /^\.(\d+)\.([\w-]*)/.exec(packed) ?? [];
  if (number === undefined) return null;
  const length = Number(number);
  if (length > 3 * signs.length) throw new Error(text.game.linkCutMoves(length, 3 * signs.length));
  const letters = [...signs].map((sign) => {
    const value = SIGNS.indexOf(sign);
    return WAYS[value >> 4] + WAYS[(value >> 2) & 3] + WAYS[value & 3];
  });
  return letters.join("").slice(0, length);
}
