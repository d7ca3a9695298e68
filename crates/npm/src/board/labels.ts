/** The texts of the element. Pages in another language set the element's property `labels`. */
import type { Way } from "./rules.js";

/**
 * The reason for a mark on a tile: a move (with or without its direction), tiles in conflict, tiles
 * to swap, or tiles counted by a heuristic.
 */
export type Mark = "hint" | `hint ${Way}` | "conflict" | "swap" | "seen";

/** The texts of a board, for screen readers and on its controls. */
export interface BoardLabels {
  /** The role description of a board. */
  role: string;
  /** The name of a board without a `label`. */
  board(columns: number, rows: number): string;
  /** The name of a board, followed by the position of its blank. */
  withBlank(name: string, place: string): string;
  /** The name of a position; `row` and `column` count from 1. */
  place(row: number, column: number): string;
  /** The name of a tile; 0 is the blank. */
  tile(number: number): string;
  /** The text for a tile that can move. */
  canMove(way: Way): string;
  mark(mark: Mark): string;
  /** Explains the keys of a board for playing. */
  keys: string;
  /** Announced after a move; `tile` is `undefined` if several tiles slid together. */
  moved(tile: number | undefined, count: number, way: Way, blank: string): string;
  solved(moves: number): string;
  /** Announced when tiles are arranged. */
  chosen(tile: string): string;
  swapped(one: string, other: string): string;
  controls: string;
  play: string;
  pause: string;
  stepBack: string;
  stepForward: string;
  position: string;
  positionOf(position: number, length: number): string;
  speed: string;
  movesPerSecond(count: number): string;
}

const ways: Record<Way, string> = { U: "up", D: "down", L: "left", R: "right" };

const marks: Record<Mark, string> = {
  hint: "hint",
  "hint U": "hint: move it up",
  "hint D": "hint: move it down",
  "hint L": "hint: move it left",
  "hint R": "hint: move it right",
  conflict: "in conflict",
  swap: "to be swapped",
  seen: "seen by the heuristic",
};

export const english: BoardLabels = {
  role: "board",
  board: (columns, rows) => `${columns}x${rows} board`,
  withBlank: (name, place) => `${name}, blank in ${place}`,
  place: (row, column) => `row ${row} column ${column}`,
  tile: (number) => (number ? `tile ${number}` : "blank"),
  canMove: (way) => `can move ${ways[way]}`,
  mark: (mark) => marks[mark],
  keys:
    "Arrow keys slide a tile into the blank, with Shift a whole line. " +
    "Ctrl and an arrow go from tile to tile, Enter slides the tile.",
  moved: (tile, count, way, blank) =>
    `${tile === undefined ? `${count} tiles` : `tile ${tile}`} ${ways[way]}, blank ${blank}`,
  solved: (moves) => `Solved in ${moves} ${moves === 1 ? "move" : "moves"}`,
  chosen: (tile) => `${tile} chosen; choose another to swap them`,
  swapped: (one, other) => `${one} and ${other} swapped`,
  controls: "Playback",
  play: "Play",
  pause: "Pause",
  stepBack: "One move back",
  stepForward: "One move on",
  position: "Position",
  positionOf: (position, length) => `move ${position} of ${length}`,
  speed: "Speed",
  movesPerSecond: (count) => `${count}/s`,
};
