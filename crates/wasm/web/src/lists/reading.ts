/** Lists of boards as text: one board per line, or boards of several lines between blank lines. */
import type { Board, Puzzle } from "sliding-tile-pdb";
import { looksLikeBoard, readBoard } from "../game/reading.ts";
import { text as texts } from "../text/text.svelte.ts";

/** Maximum number of boards in a list. */
export const MOST_BOARDS = 10_000;

/** Number of lines parsed without a pause. Parsing them takes less than two frames. */
const AT_ONCE = 100;

/** Maximum number of lines of a board: rows and the lines of a drawn frame. */
const LONGEST_BOARD = 41;

export interface Line {
  /** Number of the text's line where the board begins, from 1. */
  line: number;
  /** The source text. */
  text: string;
  /** The board, or a sentence with the error. */
  board: Board | string;
  /** Known solution length, if the line contains one after the board. */
  known?: number;
}

type Rules = Pick<Puzzle, "parse">;

/** Parses a list in pieces, so that the page stays responsive. `signal` stops the parsing. */
export async function readList(
  puzzle: Rules,
  text: string,
  size: string,
  signal?: AbortSignal,
): Promise<Line[]> {
  const found: Line[] = [];
  let pause = AT_ONCE;
  for (const block of blocksOf(text)) {
    found.push(...readBlock(puzzle, block, size));
    if (found.length > MOST_BOARDS) break;
    if (found.length < pause) continue;
    pause = found.length + AT_ONCE;
    await new Promise((resolve) => setTimeout(resolve));
    if (signal?.aborted) break;
  }
  return found;
}

/** Whether a pasted text contains several boards. */
export function looksLikeList(puzzle: Rules, text: string, size: string): boolean {
  const lines = linesOf(text).filter(({ text }) => text !== "");
  if (lines.length < 2 || !lines.slice(0, 3).some(({ text }) => looksLikeBoard(text))) return false;
  const hasLinks = lines.some(({ text }) => text.includes("board="));
  const isShort = lines.length <= LONGEST_BOARD && !hasLinks;
  if (isShort && typeof readBoard(puzzle, text, size) !== "string") return false;
  const found: Line[] = [];
  for (const block of blocksOf(text)) {
    found.push(...readBlock(puzzle, block.slice(0, LONGEST_BOARD), size));
    if (found.filter(({ board }) => typeof board !== "string").length > 1) return true;
    if (found.length > LONGEST_BOARD) return false;
  }
  return false;
}

interface TextLine {
  line: number;
  text: string;
}

/**
 * Lines without comments. A # in the middle of a line starts a comment, unless it is part of a
 * link.
 */
function linesOf(text: string): TextLine[] {
  return text.split(/\r\n?|\n/).map((each, index) => ({
    line: index + 1,
    text: each.replace(/(^|\s)#(?!\d+x\d+(&|$)).*$/, "").trim(),
  }));
}

/**
 * Splits a text into blocks at its empty lines. A block with more lines than any board is split
 * further.
 */
function* blocksOf(text: string): Generator<TextLine[]> {
  let block: TextLine[] = [];
  for (const line of linesOf(text)) {
    if (line.text !== "") block.push(line);
    if (block.length > 0 && (line.text === "" || block.length > LONGEST_BOARD)) {
      yield block;
      block = [];
    }
  }
  if (block.length > 0) yield block;
}

/** Reads a block as one board if possible, otherwise as one board per line. */
function readBlock(puzzle: Rules, block: readonly TextLine[], size: string): Line[] {
  const hasLinks = block.some(({ text }) => text.includes("board="));
  if (block.length > 1 && block.length <= LONGEST_BOARD && !hasLinks) {
    const text = block.map((each) => each.text).join("\n");
    const board = readBoard(puzzle, text, size);
    if (typeof board !== "string") return [{ line: block[0].line, text, board }];
  }
  return block.map(({ line, text }) => ({ line, text, ...readLine(puzzle, text, size) }));
}

function readLine(puzzle: Rules, text: string, size: string): Pick<Line, "board" | "known"> {
  const board = readBoard(puzzle, text, size);
  if (typeof board !== "string") return { board };
  return withColumns(puzzle, text, size) ?? { board };
}

/** Reads a line with an identifier before the board, or with the known length after the board. */
function withColumns(
  puzzle: Rules,
  text: string,
  size: string,
): Pick<Line, "board" | "known"> | null {
  const cut = (words: readonly string[]) => {
    const board = readBoard(puzzle, words.join(" "), size);
    return typeof board === "string" ? null : board;
  };
  const words = text.split(/[\s,;]+/).filter(Boolean);
  if (!words.every((word) => /^\d+$/.test(word))) {
    // In a line with slashes or brackets, a last number after a complete board is the known length.
    const [, body, known] = /^(.*[\d\])}])[\s,;]+(\d+)$/.exec(text) ?? [];
    const board = body === undefined ? null : cut([body]);
    return board && { board, known: Number(known) };
  }
  for (let side = Math.min(20, Math.floor(Math.sqrt(words.length))); side >= 3; side--) {
    const cells = side * side;
    if (cells === words.length) continue;
    const first = cut(words.slice(0, cells));
    const second = cut(words.slice(1, cells + 1));
    if (first && second) return { board: texts.lists.ambiguous };
    const known = Number(words[first ? cells : cells + 1] ?? NaN);
    const board = first ?? second;
    if (board) return { board, ...(Number.isFinite(known) && { known }) };
  }
  return null;
}
