/** Texts of stages and steps, in the language of the page. */
import type { Step } from "sliding-tile-pdb";
import { text } from "../text/text.svelte.ts";
import type { Stage } from "./stages.ts";

interface Board {
  readonly goal: readonly number[];
  readonly columns: number;
}

/** `3, 4 and 8`. */
export function listText(tiles: readonly number[]): string {
  if (tiles.length < 2) return tiles.join("");
  return `${tiles.slice(0, -1).join(", ")} ${text.guide.and} ${tiles[tiles.length - 1]}`;
}

/** Words for a cell: its row and column, counted from 1; for a corner, also the corner's name. */
function placeText(row: number, column: number, { goal, columns }: Board): string {
  const place = text.guide.place(row, column);
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
      const place = text.guide.place(row, column);
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
