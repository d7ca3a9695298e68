import type { Step } from "sliding-tile-pdb";
import { listText } from "../common/format.ts";
import { text } from "../text/text.svelte.ts";

/**
 * The stages of the human method: rows and columns from the outside inwards, then a block of
 * four or six cells. In a line, tiles are placed one after the other, the last two together. The
 * package's strategic mode completes the same stages in the same order.
 */

export interface Stage {
  kind: "row" | "column" | "last";
  /** The tiles placed in the stage: one tile, a line's last two tiles, or the whole last block. */
  tiles: readonly number[];
  /** Number of the row or column, from 1; 0 for the last block. */
  line: number;
  /** The row or column is at this edge of the unsolved rectangle; `none` for the last block. */
  side: "top" | "bottom" | "left" | "right" | "none";
}

/** Cells of the last block, including the blank's. */
const LAST = 6;

export function stagesOf(goal: readonly number[], columns: number): Stage[] {
  const rows = goal.length / columns;
  const blank = goal.indexOf(0);
  const [blankColumn, blankRow] = [blank % columns, Math.floor(blank / columns)];
  let [left, right, top, bottom] = [0, columns - 1, 0, rows - 1];
  const tile = (column: number, row: number) => goal[row * columns + column];
  const between = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const stages: Stage[] = [];
  const add = (line: readonly number[], place: Omit<Stage, "tiles">) => {
    for (const single of line.slice(0, -2)) stages.push({ ...place, tiles: [single] });
    stages.push({ ...place, tiles: line.slice(-2) });
  };
  while ((right - left + 1) * (bottom - top + 1) > LAST) {
    // Chooses a row if the rectangle is at least as high as wide, otherwise a column. The row or
    // column is at the edge that is farther from the blank's goal cell.
    if (bottom - top >= right - left) {
      const isTop = blankRow - top >= bottom - blankRow;
      const row = isTop ? top++ : bottom--;
      const tiles = between(left, right).map((column) => tile(column, row));
      add(tiles, { kind: "row", line: row + 1, side: isTop ? "top" : "bottom" });
    } else {
      const isLeft = blankColumn - left >= right - blankColumn;
      const column = isLeft ? left++ : right--;
      const tiles = between(top, bottom).map((row) => tile(column, row));
      add(tiles, { kind: "column", line: column + 1, side: isLeft ? "left" : "right" });
    }
  }
  const rest = between(top, bottom).flatMap((row) =>
    between(left, right).map((column) => tile(column, row)),
  );
  stages.push({ kind: "last", tiles: rest.filter((each) => each > 0), line: 0, side: "none" });
  return stages;
}

/** Whether each tile is in place, by tile number. */
export function homes(tiles: readonly number[], goal: readonly number[]): boolean[] {
  const home = new Array<boolean>(tiles.length);
  tiles.forEach((tile, cell) => (home[tile] = goal[cell] === tile));
  return home;
}

/** Index of the first stage with a displaced tile; the number of stages if there is none. */
export function firstOpen(stages: readonly Stage[], home: readonly boolean[]): number {
  const found = stages.findIndex(({ tiles }) => !tiles.every((tile) => home[tile]));
  return found < 0 ? stages.length : found;
}

interface Board {
  readonly goal: readonly number[];
  readonly columns: number;
}

/** Words for a cell: its row and column, counted from 1; for a corner, also the corner's name. */
function placeText(row: number, column: number, { goal, columns }: Board): string {
  const place = text.element.place(row, column);
  const rows = goal.length / columns;
  const { corners } = text.guide;
  const [isLeft, isRight] = [column === 1, column === columns];
  if (!(isLeft || isRight) || (row !== 1 && row !== rows)) return place;
  const corner =
    row === 1
      ? isLeft
        ? corners.topLeft
        : corners.topRight
      : isLeft
        ? corners.bottomLeft
        : corners.bottomRight;
  return text.guide.cornerPlace(corner, place);
}

function homeText(tile: number, board: Board): string {
  const cell = board.goal.indexOf(tile);
  const row = Math.floor(cell / board.columns) + 1;
  return placeText(row, (cell % board.columns) + 1, board);
}

/** The heading of a stage: its line. */
export function lineText({ kind, line }: Stage): string {
  if (kind === "last") return text.guide.lastTiles;
  return kind === "row" ? text.guide.row(line) : text.guide.column(line);
}

/** Task of a stage: "Bring tile 1 to the top left corner (row 1, column 1)." */
export function stageWords({ kind, tiles, line }: Stage, board: Board): string {
  if (kind === "last") return text.guide.bringLast(listText(tiles));
  if (tiles.length === 1) return text.guide.bring(tiles[0], homeText(tiles[0], board));
  const where = kind === "row" ? text.guide.inRow(line) : text.guide.inColumn(line);
  return text.guide.bringPair(listText(tiles), where);
}

/** A step of a plan. */
export function partWords(step: Step, board: Board): string {
  const { tile = 0, row = 1, column = 1 } = step;
  switch (step.action) {
    case "place": {
      const isHome = board.goal[(row - 1) * board.columns + column - 1] === tile;
      const place = text.element.place(row, column);
      return isHome ? text.guide.home(tile, place) : text.guide.park(tile, place);
    }
    case "corner":
      return text.guide.turn(listText(step.tiles ?? []));
    case "finish":
      return text.guide.order;
    case "slide":
      return text.guide.slide;
  }
}

/** Words for the method of a stage and the reason for this method. */
export function whyText({ kind, tiles }: Stage): string {
  if (kind === "last") return tiles.length > 3 ? text.guide.lastSix : text.guide.lastFour;
  if (tiles.length === 2) return text.guide.lastTwo;
  return kind === "row" ? text.guide.fillRow : text.guide.fillColumn;
}
