/** Lists of boards as text: boards on one line or on several lines, and links to this page. */
import type { Board, Puzzle } from "sliding-tile-pdb";
import { boardOf, inRange, linkIn } from "../game/address.ts";
import { sentence } from "../solver/error.ts";

/** Maximum number of boards in a list. */
export const MOST_BOARDS = 10_000;

/** Number of lines parsed without a pause: more than the lines of any board. */
const AT_ONCE = 500;

export interface Line {
  /** Number of the text's line where the board begins, from 1. */
  line: number;
  /** The source text. */
  text: string;
  /** The board, or a sentence with the error. */
  board: Board | string;
  /** Known solution length, if the line contains one after the board. */
  known?: number | undefined;
}

type Rules = Pick<Puzzle, "parseList">;

/** Parses a list in pieces, so that the page stays responsive. `signal` stops the parsing. */
export async function readList(
  puzzle: Rules,
  text: string,
  size: string,
  signal?: AbortSignal,
): Promise<Line[]> {
  const found: Line[] = [];
  const lines = text.split(/\r\n?|\n/);
  for (let from = 0; from < lines.length && found.length <= MOST_BOARDS; ) {
    const piece = readPiece(puzzle, lines.slice(from, from + AT_ONCE), size);
    const next = from + AT_ONCE;
    // The last board of a piece may continue in the next piece, which begins with it.
    const last = next < lines.length && piece.length > 1 ? piece.pop() : undefined;
    for (const each of piece) found.push({ ...each, line: from + each.line });
    from = last ? from + last.line - 1 : next;
    await new Promise((resolve) => setTimeout(resolve));
    if (signal?.aborted) break;
  }
  return found;
}

/** The number of boards at the beginning of a text. */
export function boardsIn(puzzle: Rules, text: string, size: string): number {
  const lines = text.slice(0, 20_000).split(/\r\n?|\n/, AT_ONCE);
  return readPiece(puzzle, lines, size).filter(({ board }) => typeof board !== "string").length;
}

function readPiece(puzzle: Rules, lines: readonly string[], size: string): Line[] {
  return puzzle.parseList(lines.map(unlinked).join("\n")).map((entry) => {
    const { line, text, error } = entry;
    // Numbers in one row can be a board of the current size.
    const read = error === undefined ? entry : puzzle.parseList(text, size)[0];
    return read?.error === undefined && read
      ? { line, text, board: inRange(read), known: read.known }
      : { line, text, board: sentence(String(error).replaceAll("`", '"')) };
  });
}

/** The line, or the board of the link in it. */
function unlinked(line: string): string {
  const link = linkIn(line);
  if (!link) return line;
  try {
    return boardOf(link);
  } catch {
    // Without its `#`, the link is no comment, but an entry with an error.
    return link.slice(1);
  }
}
