import type { Board, Puzzle } from "sliding-tile-pdb";
import { sentence } from "../engine/failure.ts";
import { isSide, largest, smallest } from "./rules.ts";

const example = "8 6 7/2 5 4/3 0 1";

/** The board that a text has, in any notation, or a sentence on what is wrong and what is right. */
export function readBoard(
  puzzle: Pick<Puzzle, "parse">,
  text: string,
  size: string,
): Board | string {
  if (!text.trim()) return `Write or paste a board, such as ${example}.`;
  const first = parse();
  if (typeof first !== "string") return first;
  // A row of 12 numbers may well be a board of the present size.
  const second = parse(size);
  return typeof second === "string" ? first : second;

  function parse(size?: string): Board | string {
    try {
      const board = puzzle.parse(text, size);
      if (isSide(board.columns) && isSide(board.rows)) return board;
      return (
        `This is a ${board.size} board; boards here are from ${smallest}x${smallest} to ` +
        `${largest}x${largest}.`
      );
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const found = sentence(message.replaceAll("`", '"'));
      return `${found} A board looks like this: ${example}.`;
    }
  }
}
