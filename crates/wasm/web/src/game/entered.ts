/**
 * Moves written by hand or pasted, checked on a board: letters with or without counts, or the
 * numbers of tiles. The package reads the same texts; this reader also knows the move at fault and
 * what is on the board at that moment.
 */
import { placeWords } from "../board/words.ts";
import { text as texts } from "../text/text.svelte.ts";
import { back, from, type Way } from "./rules.ts";

/** Piece that the letters name. `"auto"`: the reading that is possible on the board. */
export type Letters = "auto" | "tile" | "blank";

export interface Entered {
  /** Single letters for the way of the tile. */
  letters: string;
  notation: "tile" | "blank" | "numbers";
  /** The board after the moves. */
  tiles: number[];
}

/** The first move that cannot be made. */
export interface Fault {
  reason: "unknown" | "edge" | "absent" | "blank" | "apart";
  /** Its number, from 1; each tile that slides is one. */
  number: number;
  /** The move as it is written, and where in the text it begins. */
  sign: string;
  at: number;
  /** For letters: the way of the tile. */
  way?: Way;
  /** The board before it. */
  tiles: number[];
}

export const isFault = (found: Entered | Fault): found is Fault => "reason" in found;

/** Longer pieces of a text are cut in messages. */
const LONGEST_SIGN = 12;

const isNumbers = (text: string): boolean => /\d/.test(text) && !/[a-z\u2190-\u2193]/i.test(text);

const arrows: Record<string, string> = { "↑": "U", "↓": "D", "←": "L", "→": "R" };

/** Reads moves of this board. An empty text has no moves. */
export function readMoves(
  text: string,
  board: readonly number[],
  columns: number,
  goal: readonly number[],
  letters: Letters = "auto",
): Entered | Fault {
  // Full-width letters and digits become plain ones, each as long as before.
  const plain = text.replace(/[\uff01-\uff5e]/g, (sign) => sign.normalize("NFKC"));
  if (isNumbers(plain)) return readNumbers(plain, board, columns);
  if (letters !== "auto") return readLetters(plain, board, columns, letters);
  const tile = readLetters(plain, board, columns, "tile");
  const isGoal = (found: Entered) => found.tiles.every((each, cell) => each === goal[cell]);
  if (!isFault(tile) && isGoal(tile)) return tile;
  const blank = readLetters(plain, board, columns, "blank");
  if (isFault(tile)) return !isFault(blank) || blank.number > tile.number ? blank : tile;
  return !isFault(blank) && isGoal(blank) ? blank : tile;
}

function readLetters(
  text: string,
  board: readonly number[],
  columns: number,
  notation: "tile" | "blank",
): Entered | Fault {
  const tiles = [...board];
  let blank = tiles.indexOf(0);
  const made: Way[] = [];
  for (const { 0: sign, index } of text.matchAll(/([UDLR↑↓←→])\s*(\d*)|[^\s,]+/gi)) {
    const fault = { number: made.length + 1, sign, at: index, tiles };
    const [, letter, count] = /^([UDLR↑↓←→])\s*(\d*)$/i.exec(sign) ?? [];
    if (letter === undefined) return { reason: "unknown", ...fault };
    const named = (arrows[letter] ?? letter.toUpperCase()) as Way;
    const way = notation === "tile" ? named : back[named];
    // A count beyond the edge ends at the edge: it is never larger than the board.
    for (let left = count ? Number(count) : 1; left > 0; left--) {
      const cell = from(blank, way, columns, tiles.length);
      if (cell < 0) return { reason: "edge", ...fault, number: made.length + 1, way };
      tiles[blank] = tiles[cell];
      tiles[(blank = cell)] = 0;
      made.push(way);
    }
  }
  return { letters: made.join(""), notation, tiles };
}

function readNumbers(text: string, board: readonly number[], columns: number): Entered | Fault {
  const tiles = [...board];
  let blank = tiles.indexOf(0);
  const made: Way[] = [];
  for (const { 0: sign, index } of text.matchAll(/[^\s,]+/g)) {
    const fault = { number: made.length + 1, sign, at: index, tiles };
    if (!/^\d+$/.test(sign)) return { reason: "unknown", ...fault };
    const tile = Number(sign);
    if (tile === 0) return { reason: "blank", ...fault };
    const cell = tiles.indexOf(tile);
    if (cell < 0) return { reason: "absent", ...fault };
    const way = (["U", "D", "L", "R"] as const).find(
      (each) => from(blank, each, columns, tiles.length) === cell,
    );
    if (way === undefined) return { reason: "apart", ...fault };
    tiles[blank] = tile;
    tiles[(blank = cell)] = 0;
    made.push(way);
  }
  return { letters: made.join(""), notation: "numbers", tiles };
}

/** The fault in sentences: which move, why not, and what is beside the blank. */
export function faultText(fault: Fault, columns: number): string {
  const { reason, number, tiles } = fault;
  const sign =
    fault.sign.length > LONGEST_SIGN ? `${fault.sign.slice(0, LONGEST_SIGN)}…` : fault.sign;
  const size = `${columns}x${tiles.length / columns}`;
  const blank = tiles.indexOf(0);
  const place = (cell: number) => placeWords(cell, columns);
  const beside = (["U", "D", "L", "R"] as const)
    .map((way) => from(blank, way, columns, tiles.length))
    .filter((cell) => cell >= 0)
    .map((cell) => tiles[cell])
    .join(", ");
  switch (reason) {
    case "unknown":
      return texts.game.moveUnknown(number, sign);
    case "absent":
      return texts.game.moveAbsent(number, Number(fault.sign), size);
    case "blank":
      return texts.game.moveBlank(number);
    case "edge": {
      const found = texts.game.moveEdge(number, sign, fault.way ?? "U", place(blank));
      return `${found} ${texts.game.moveBeside(beside)}`;
    }
    case "apart": {
      const tile = Number(fault.sign);
      const found = texts.game.moveApart(number, tile, place(tiles.indexOf(tile)), place(blank));
      return `${found} ${texts.game.moveBeside(beside)}`;
    }
  }
}
