/**
 * Moves written by hand or pasted: letters, words or arrows, or the numbers of tiles. The package
 * parses them; sentences for the visitor explain the first move that cannot be made.
 */
import type { InputError, MoveFault, Puzzle, Report } from "sliding-tile-pdb";
import { placeWords } from "../common/format.ts";
import { boardAfter, lettersOf } from "../solve/moves.ts";
import { text as texts } from "../text/text.svelte.ts";
import { boardText, from, isSame } from "sliding-tile-pdb/board-rules";
import { panel } from "../common/panel.svelte.ts";
import { game } from "./game.svelte.ts";
import { solvers } from "../solver/cache.svelte.ts";
import { gameKey, playback } from "../solve/playback.svelte.ts";
import { search } from "../solve/search.svelte.ts";
import { solutionOf } from "../solve/solution.ts";

/**
 * Meaning of the letters: the directions of the tiles, or the directions of the blank. `"auto"`
 * chooses the meaning for which the moves are possible on the board.
 */
export type Letters = "auto" | "tile" | "blank";

export interface Entered {
  /** The directions of the moved tiles, as single letters. */
  letters: string;
  notation: "tile" | "blank" | "numbers";
  /** The board after the moves. */
  tiles: number[];
}

/** The first move that cannot be made. */
export interface Fault extends MoveFault {
  /** The move as it is written. */
  sign: string;
}

export const isFault = (found: Entered | Fault): found is Fault => "reason" in found;

/** Maximum number of characters of a move in a message. */
const LONGEST_SIGN = 12;

const isNumbers = (text: string): boolean => /\d/.test(text) && !/[\p{L}\p{S}]/u.test(text);

/** Reads moves of this board. An empty text contains no moves. */
export function readMoves(
  puzzle: Puzzle,
  text: string,
  tiles: readonly number[],
  columns: number,
  goal: readonly number[],
  letters: Letters = "auto",
): Entered | Fault {
  // Full-width characters become plain. The text keeps its length.
  const plain = text.replace(/[\uff01-\uff5e]/g, (sign) => sign.normalize("NFKC"));
  const board = boardText(tiles, columns);
  const as = (notation: Entered["notation"]): Entered | Fault => {
    try {
      const moves = lettersOf(puzzle.convert(board, plain, "tile", notation));
      const { result } = puzzle.apply(board, moves, { notation: "tile" });
      return { letters: moves, notation, tiles: puzzle.parse(result).tiles };
    } catch (error) {
      const { fault } = error as InputError;
      if (!fault) throw error;
      return { ...fault, sign: text.slice(fault.start, fault.end) };
    }
  };
  if (isNumbers(plain)) return as("numbers");
  if (letters !== "auto") return as(letters);
  const tile = as("tile");
  const isGoal = (found: Entered) => isSame(found.tiles, goal);
  if (!isFault(tile) && isGoal(tile)) return tile;
  const blank = as("blank");
  if (isFault(tile)) return !isFault(blank) || blank.number > tile.number ? blank : tile;
  return !isFault(blank) && isGoal(blank) ? blank : tile;
}

/** The fault in sentences: the move, the reason, and the tiles beside the blank. */
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
    case "count":
      return texts.game.moveCount(number);
    case "edge": {
      const found = texts.game.moveEdge(number, sign, fault.direction ?? "U", place(blank));
      return `${found} ${texts.game.moveBeside(beside)}`;
    }
    case "apart": {
      const tile = Number(fault.sign);
      if (tile === 0) return texts.game.moveBlank(number);
      if (!tiles.includes(tile)) return texts.game.moveAbsent(number, tile, size);
      const found = texts.game.moveApart(number, tile, place(tiles.indexOf(tile)), place(blank));
      return `${found} ${texts.game.moveBeside(beside)}`;
    }
  }
}

/**
 * Prepares moves that the visitor entered, or that a link contains, for playback: single letters,
 * which must be possible on the current board. `found` is the report of the search that found the
 * moves, if any. Returns whether the moves solve the board.
 */
export function enter(
  letters: string,
  { found, isFromLink = false }: { found?: Report; isFromLink?: boolean } = {},
): boolean {
  const { tiles: board, goal, columns, moves: prefix } = game;
  const metric = found ? "single" : solvers.metric;
  const solves = isSame(boardAfter(board, columns, letters), goal);
  const question = { game: gameKey(game), prefix, board, columns, metric };
  search.reset();
  panel.show("solve");
  if (found) {
    playback.begin(solutionOf(question, { ...found, moves: letters }));
    return solves;
  }
  const solution = solutionOf(question, { status: "solved", moves: letters });
  const report = { ...solution.report, length: solution.ends.length };
  playback.begin({ ...solution, report, entered: { solves, isFromLink } });
  return solves;
}
