import type { Board, Puzzle } from "sliding-tile-pdb";
import { sentence } from "../solver/error.ts";
import { groupsOf } from "../solve/moves.ts";
import { text as texts } from "../text/text.svelte.ts";
import { boardText, isBoard, isSame, isSide, largest, ordered } from "sliding-tile-pdb/board-rules";
import { smallest } from "sliding-tile-pdb/board-rules";
import type { Way } from "sliding-tile-pdb/board-rules";

/** Contents of the page's address after the `#`. */
export interface Address {
  columns: number;
  rows: number;
  /** Absent if the address allows any board of the size. */
  tiles?: number[];
  /** Absent for the default goal, whose blank is in the last cell. */
  goal?: number[];
  /** The text of moves that start at the board. It is parsed once the board is loaded. */
  moves?: string;
  /** The address or the name of a picture, unparsed. */
  picture?: string;
  /** The settings of a comparison, unparsed. */
  compare?: string;
}

/** The input of `write`: an address with a board and a goal. The moves are single letters. */
export type Target = Address & Required<Pick<Address, "tiles" | "goal">>;

/**
 * `#4x4&board=5,10,14,7/8,3,...&goal=...&moves=...&picture=...`: readable, and editable by hand.
 */
export function write(address: Target): string {
  const { columns, rows, tiles, goal, moves, picture } = address;
  const text = (numbers: number[]) => boardText(numbers, columns).replaceAll(" ", ",");
  const parts = [`${columns}x${rows}`, `board=${text(tiles)}`];
  if (!isSame(goal, ordered(goal.length))) parts.push(`goal=${text(goal)}`);
  if (moves) parts.push(`moves=${packMoves(moves)}`);
  if (picture) parts.push(`picture=${encodeURIComponent(picture)}`);
  return "#" + parts.join("&");
}

/**
 * Parses an address from `write` or an address written by hand; `null` if the address is empty.
 * @throws Error with a sentence for the visitor
 */
export function read(hash: string): Address | null {
  const parts = hash.replace(/^#/, "").split("&").filter(Boolean);
  if (parts.length === 0) return null;
  const fields = new Map<string, string>();
  for (const part of parts) {
    const sign = part.indexOf("=");
    const [name, value] = sign < 0 ? ["size", part] : [part.slice(0, sign), part.slice(sign + 1)];
    try {
      fields.set(name, decodeURIComponent(value));
    } catch {
      fields.set(name, value);
    }
  }

  const board = fields.get("board");
  const size = fields.get("size") ?? (board && sizeOf(board));
  const sides = size && /^(\d+)x(\d+)$/.exec(size);
  if (!sides) {
    throw new Error(size ? texts.game.addressBadSize(size) : texts.game.addressNoSize);
  }
  const [columns, rows] = [Number(sides[1]), Number(sides[2])];
  if (!isSide(columns) || !isSide(rows)) {
    throw new Error(texts.game.addressSizes(`${columns}x${rows}`, smallest, largest));
  }
  const tiles =
    board === undefined ? undefined : numbers(board, texts.game.addressBoard, columns, rows);
  const goal = fields.get("goal");
  const moves = fields.get("moves")?.replaceAll("+", " ").trim();
  const picture = fields.get("picture");
  const compare = fields.get("compare");
  return {
    columns,
    rows,
    ...(tiles && { tiles }),
    ...(goal !== undefined && { goal: numbers(goal, texts.game.addressGoal, columns, rows) }),
    ...(moves && { moves }),
    ...(picture && { picture }),
    ...(compare && { compare }),
  };
}

function sizeOf(board: string): string {
  const rows = board.split("/");
  return `${rows[0].split(/[ ,.+]+/).filter(Boolean).length}x${rows.length}`;
}

function numbers(
  text: string,
  damaged: (size: string, last: number, found: string) => string,
  columns: number,
  rows: number,
): number[] {
  const cells = columns * rows;
  const found = text.split(/[ ,.+/]+/).filter(Boolean);
  const tiles = found.map((word) => (/^\d+$/.test(word) ? Number(word) : NaN));
  if (isBoard(tiles, cells)) return tiles;
  const wrong = found.find((_, index) => !(tiles[index] < cells));
  const twice = found.find((word, index) => found.indexOf(word) !== index);
  const reason =
    wrong !== undefined
      ? texts.game.numberForeign(wrong.slice(0, 20))
      : twice !== undefined
        ? texts.game.numberTwice(twice)
        : texts.game.numbersFew(found.length);
  throw new Error(damaged(`${columns}x${rows}`, cells - 1, reason));
}

const example = "8 6 7/2 5 4/3 0 1";

/**
 * The fragment of a link to this page, including the `#`; `null` if the text contains no such link.
 */
export const linkIn = (text: string): string | null => /#\S*\bboard=\S*/.exec(text)?.[0] ?? null;

/**
 * The board of a link to this page, as text.
 * @throws Error with a sentence for the visitor
 */
export function boardOf(link: string): string {
  const { tiles = [], columns = 0 } = read(link) ?? {};
  return boardText(tiles, columns);
}

/** The board in a text of any notation, or a sentence with the error and the expected form. */
export function readBoard(
  puzzle: Pick<Puzzle, "parse">,
  text: string,
  size: string,
): Board | string {
  if (!text.trim()) return texts.game.boardEmpty(example);
  const link = linkIn(text);
  try {
    return inRange(puzzle.parse(link ? boardOf(link) : text));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (link) return message;
    try {
      // A row of 12 numbers can be a board of the current size.
      return inRange(puzzle.parse(text, size));
    } catch {
      return texts.game.boardExample(sentence(message.replaceAll("`", '"')), example);
    }
  }
}

/** The goal that a board's text states, if it states one. */
export const goalIn = ({ goal }: Board): number[] | undefined => goal?.split(/[ /]/).map(Number);

/** The board, or a sentence if the page has no boards of its size. */
export const inRange = (board: Board): Board | string =>
  isSide(board.columns) && isSide(board.rows)
    ? board
    : texts.game.boardSizes(board.size, smallest, largest);

// Moves in an address. Short lists are readable letters with counts, such as `U2RD`. Longer lists
// are packed into base64url, three moves per character. They begin with the number of moves, such
// as `.2713.`, which reveals truncated links.

/** Maximum number of characters of readable moves; longer lists are packed. */
const LONGEST_READABLE = 300;
const SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const WAYS: readonly Way[] = ["U", "D", "L", "R"];

/** Packs moves, given as single letters, for an address. */
export function packMoves(letters: string): string {
  const counted = groupsOf(letters);
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
  if (length > 3 * signs.length) throw new Error(texts.game.linkCutMoves(length, 3 * signs.length));
  const letters = [...signs].map((sign) => {
    const value = SIGNS.indexOf(sign);
    return WAYS[value >> 4] + WAYS[(value >> 2) & 3] + WAYS[value & 3];
  });
  return letters.join("").slice(0, length);
}
