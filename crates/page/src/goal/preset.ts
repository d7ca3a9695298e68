import { isSame, ordered } from "sliding-tile-pdb/board-rules";
import { text } from "../text/text.svelte.ts";

export const presetNames = ["blank-last", "blank-first", "snake", "spiral", "columns"] as const;
export type PresetName = (typeof presetNames)[number];

/** The goal of a preset: the tiles in order along a path over the cells. */
export function preset(name: PresetName, columns: number, rows: number): number[] {
  const cells = columns * rows;
  if (name === "blank-first") return Array.from({ length: cells }, (_, cell) => cell);
  const tiles = new Array<number>(cells);
  path(name, columns, rows).forEach((cell, index) => (tiles[cell] = (index + 1) % cells));
  return tiles;
}

/** The name of the preset with this goal, if there is one. */
export const presetOf = (goal: readonly number[], columns: number): PresetName | undefined =>
  presetNames.find((name) => isSame(goal, preset(name, columns, goal.length / columns)));

/** All cells, in the order in which the preset puts the tiles on them. */
function path(name: PresetName, columns: number, rows: number): number[] {
  const rest = Array.from({ length: columns * rows }, (_, cell) => cell);
  switch (name) {
    case "snake":
      return rest.map((cell) => {
        const [x, y] = [cell % columns, Math.floor(cell / columns)];
        return y * columns + (y % 2 ? columns - 1 - x : x);
      });
    case "columns":
      return rest.map((index) => (index % rows) * columns + Math.floor(index / rows));
    case "spiral":
      return spiral(columns, rows);
    default:
      return rest;
  }
}

/**
 * The cells along a clockwise inward spiral, which turns when the next cell is outside the board or
 * already in the spiral.
 */
function spiral(columns: number, rows: number): number[] {
  const steps = [
    [1, 0],
    [0, 1],
    [-1, 0],
    [0, -1],
  ];
  const taken = new Set<number>();
  let [x, y, turn] = [0, 0, 0];
  const isFree = (x: number, y: number) =>
    x >= 0 && y >= 0 && x < columns && y < rows && !taken.has(y * columns + x);
  while (taken.size < columns * rows) {
    taken.add(y * columns + x);
    if (!isFree(x + steps[turn][0], y + steps[turn][1])) turn = (turn + 1) % 4;
    [x, y] = [x + steps[turn][0], y + steps[turn][1]];
  }
  return [...taken];
}

/**
 * The goal with its blank on another cell. If the goal's tiles are in reading order, they stay in
 * reading order; otherwise the blank and the tile on that cell are swapped.
 */
export function withBlankAt(goal: readonly number[], cell: number): number[] {
  const tiles = goal.filter((tile) => tile > 0);
  if (tiles.every((tile, index) => tile === index + 1)) return tiles.toSpliced(cell, 0, 0);
  const next = [...goal];
  [next[goal.indexOf(0)], next[cell]] = [next[cell], 0];
  return next;
}

export type Size = readonly [columns: number, rows: number];

/** The cell at the same place in another size: corners stay corners. */
export function sameCell(cell: number, [columns, rows]: Size, [toColumns, toRows]: Size): number {
  const scaled = (at: number, from: number, to: number) => Math.round((at * (to - 1)) / (from - 1));
  const row = scaled(Math.floor(cell / columns), rows, toRows);
  return row * toColumns + scaled(cell % columns, columns, toColumns);
}

/** The goal of the same order in another size, or with its blank on the same place. */
export function resized(goal: readonly number[], from: Size, to: Size): number[] {
  const name = presetOf(goal, from[0]);
  if (name) return preset(name, ...to);
  return withBlankAt(ordered(to[0] * to[1]), sameCell(goal.indexOf(0), from, to));
}

/** Maximum number of cells for which `goalLabel` includes the rows of the goal. */
const short = 64;

/** The goal's rows of numbers. */
export function goalRows(goal: readonly number[], columns: number): string[] {
  const names = goal.map((tile) => (tile ? String(tile) : text.goal.blank));
  return Array.from({ length: goal.length / columns }, (_, row) =>
    names.slice(row * columns, (row + 1) * columns).join(" "),
  );
}

export function goalName(goal: readonly number[], columns: number): string {
  const preset = presetOf(goal, columns);
  return preset ? text.goal.presets[preset] : text.goal.ownOrder;
}

/** The page's name of a goal that the package names. */
export const nameOf = (name: string): string =>
  text.goal.presets[name === "snail" ? "spiral" : (name as PresetName)];

/** The text alternative of a picture of the goal: name and rows. */
export function goalLabel(goal: readonly number[], columns: number): string {
  const rows = goal.length > short ? "" : `: ${goalRows(goal, columns).join("; ")}`;
  return text.goal.label(goalName(goal, columns), rows);
}
