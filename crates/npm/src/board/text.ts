/**
 * The form of boards and moves that every function of the package returns. The element reads only
 * this form, without WebAssembly; `loadPuzzle().parse` reads all other notations.
 */
import { InputError } from "../error.js";
import { boardText, isBoard, isSide, largest, ordered, smallest, type Way } from "./rules.js";

/** The tiles of a board, and its number of columns. */
export interface Layout {
  tiles: number[];
  columns: number;
}

/**
 * Reads rows of numbers separated by slashes, or all numbers in reading order. `columns` applies
 * only to the second form; without it, that board must be square.
 */
export function readBoard(board: string | readonly number[], columns?: number): Layout {
  const rows = typeof board === "string" ? board.trim().split("/") : [board];
  const cells = rows.map((row) =>
    typeof row === "string" ? row.trim().split(/[\s,]+/).map(wholeOf) : [...row],
  );
  const tiles = cells.flat();
  const width = cells.length > 1 ? cells[0]!.length : (columns ?? Math.sqrt(tiles.length));
  if (cells.length > 1 && cells.some((row) => row.length !== width)) {
    throw new InputError("the rows of the board must have equal lengths");
  }
  const height = tiles.length / width;
  if (!isSide(width) || !isSide(height)) {
    throw new InputError(
      `${tiles.length} numbers are not a board of ${smallest} to ${largest} rows and columns`,
    );
  }
  if (!isBoard(tiles, tiles.length)) {
    throw new InputError(`a board has the numbers from 0 to ${tiles.length - 1}, each once`);
  }
  return { tiles, columns: width };
}

function wholeOf(text: string): number {
  if (/^\d{1,3}$/.test(text)) return Number(text);
  throw new InputError(`\`${text.slice(0, 20)}\` in the board is not a number`);
}

/** Reads the goal of a board: a name, or a board of the same size. */
export function readGoal(goal: string | readonly number[], { tiles, columns }: Layout): number[] {
  if (goal === "blank-last") return ordered(tiles.length);
  if (goal === "blank-first") return tiles.map((_, cell) => cell);
  const layout = readBoard(goal, columns);
  if (layout.columns === columns && layout.tiles.length === tiles.length) return layout.tiles;
  const size = boardText(layout.tiles, layout.columns);
  throw new InputError(`the goal ${size.slice(0, 40)} has another size than the board`);
}

/** Maximum number of moves of an element, enough for any solution of 20x20. */
const MAX_MOVES = 1_000_000;

/** Reads moves: a letter for each tile's direction, with an optional count, such as `U2RD`. */
export function readMoves(text: string): Way[] {
  const moves: Way[] = [];
  let end = 0;
  for (const { 0: part, 1: letter, 2: count, index } of text.matchAll(/\s*([UDLR])(\d{0,3})/g)) {
    if (index !== end) break;
    end += part.length;
    if (count && Number(count) === 0) throw new InputError(`\`${part.trim()}\` is not a move`);
    for (let made = Number(count || 1); made > 0; made--) moves.push(letter as Way);
    if (moves.length > MAX_MOVES) throw new InputError(`at most ${MAX_MOVES} moves can be played`);
  }
  const rest = text.slice(end).trim();
  if (!rest) return moves;
  throw new InputError(`moves are letters U, D, L and R with counts, not \`${rest.slice(0, 20)}\``);
}
