import type { Board, Puzzle } from "sliding-tile-pdb";
import { sentence } from "../solver/error.ts";
import { text as texts } from "../text/text.svelte.ts";
import { isSide, largest, smallest } from "./rules.ts";

const example = "8 6 7/2 5 4/3 0 1";

/** Letters and digits in their plain form: full-width digits and keycap emoji become digits. */
const plain = (text: string): string =>
  text
    .replace(/\u{1f51f}/gu, " 10 ")
    .replace(/\ufe0f?\u20e3/g, " ")
    .normalize("NFKC");

/**
 * The fragment of a link to this page, including the `#`; `null` if the text contains no such link.
 */
export const linkIn = (text: string): string | null => /#\S*\bboard=\S*/.exec(text)?.[0] ?? null;

/** The board in a link to this page. */
function fromLink(text: string): string | null {
  const board = /[#&]board=([^&\s]*)/.exec(text)?.[1];
  if (board === undefined) return null;
  try {
    return decodeURIComponent(board);
  } catch {
    return board;
  }
}

/**
 * Separates the numbers of a board that is written with one digit per cell: up to ten cells, or 16
 * with hexadecimal digits.
 */
function fromDigits(text: string): string | null {
  const rows = text.trim().split(/[\s/]+/);
  const written = rows.join("").replace(/,/g, "").toLowerCase();
  const digits = written.includes("0") ? written : written.replace(/[_.*x]/, "0");
  const cells = digits.length;
  if (!/^[\da-f]+$/.test(digits) || new Set(digits).size !== cells) return null;
  if ([...digits].some((digit) => parseInt(digit, 16) >= cells)) return null;
  // The blank, written as `_`, `.`, `*` or `x`, becomes 0.
  const numbers = (row: string) =>
    [...row.replace(/,/g, "")].map((each) => parseInt(each, 16) || 0);
  const isRows = rows.length > 1 && rows.every((row) => row.length === rows[0].length);
  if (isRows && rows[0].length > 1) return rows.map((row) => numbers(row).join(" ")).join("/");
  return text.replace(/[\da-f_.*x]+/gi, (word) => numbers(word.toLowerCase()).join(" "));
}

/** Reads a board that a program printed: removes `array(...)`, and writes the blank as 0. */
function fromProgram(text: string): string {
  const bare = text
    .replace(/,?\s*dtype\s*=\s*[\w.'"]+/, "")
    .replace(/^\s*(?:\w+\.)?(?:array|matrix|tensor)\s*\(([^]*)\)\s*$/, "$1")
    .replaceAll('"', "")
    .replace(/(\d)\.0*(?=$|[\s,;\])])/g, "$1")
    .replace(/(^|[\s,;/[(|])(?:\*|B|b|-1|None|null|nil|nan|NaN)(?=$|[\s,;/\])|])/g, "$10")
    .replace(/[\u25a0\u25a1\u25a2\u2b1b\u2b1c\u{1f532}\u{1f533}]\ufe0f?/gu, "0");
  const separator = /[,;\t]/.exec(bare)?.[0];
  if (/(^|\D)0+($|\D)/.test(bare) || separator === undefined) return bare;
  // An empty cell of a table is the blank.
  const lines = bare.replace(/^\s*\n|\n\s*$/g, "").split(/\r?\n/);
  const filled = lines.map((line) => line.split(separator).map((cell) => cell.trim() || "0"));
  const blanks = filled.flat().filter((cell) => cell === "0").length;
  return blanks === 1 ? filled.map((cells) => cells.join(",")).join("\n") : bare;
}

/** Alternative readings of a text that the parser rejects. */
function readings(text: string): string[] {
  const simple = plain(text);
  return [simple, fromDigits(simple), fromProgram(simple)].filter((each) => each !== null);
}

/** Whether pasted text can be a board: a link, or only numbers and separators. */
export function looksLikeBoard(text: string): boolean {
  const simple = plain(text);
  if (fromLink(simple) !== null || fromDigits(simple) !== null) return true;
  const program = fromProgram(simple);
  return /\d/.test(program) && /^[\s\dxX,;/()[\]{}|_.+-]+$/.test(program);
}

/** The board in a text of any notation, or a sentence with the error and the expected form. */
export function readBoard(
  puzzle: Pick<Puzzle, "parse">,
  text: string,
  size: string,
): Board | string {
  if (!text.trim()) return texts.game.boardEmpty(example);
  const first = parse(text);
  if (typeof first !== "string") return first;
  const linked = fromLink(plain(text));
  if (linked !== null) {
    const own = /[#&](?:size=)?(\d+x\d+)(?=&|$)/.exec(plain(text))?.[1];
    return parse(linked, own);
  }
  for (const reading of [text, ...readings(text)]) {
    // A row of 12 numbers can be a board of the current size.
    for (const each of [parse(reading), parse(reading, size)]) {
      if (typeof each !== "string") return each;
    }
  }
  const numbers = text.match(/\d+/g)?.length ?? 0;
  if (numbers > largest * largest) {
    return texts.game.boardTooLarge(numbers, largest);
  }
  return first;

  function parse(text: string, size?: string): Board | string {
    try {
      const board = puzzle.parse(text, size);
      if (isSide(board.columns) && isSide(board.rows)) return board;
      return texts.game.boardSizes(board.size, smallest, largest);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return texts.game.boardExample(sentence(message.replaceAll("`", '"')), example);
    }
  }
}
