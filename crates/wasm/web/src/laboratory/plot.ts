// What a plot is, before it has a size: axes, and series of points with words.

import type { Scale } from "./scale.ts";

/** How a series looks: told apart by colour, and by shape and dash alike. */
export interface Style {
  /** Colour and shape of the marker, both from 0 to 7. */
  mark: number;
  /** From 0 to 3: the dash of the line; markers of odd ones are hollow. */
  dash: number;
}

export interface PlotPoint {
  x: number;
  y: number;
  /** What it is, in full. */
  words: string;
  /** Whether the true value is larger: a limit ended some searches. */
  isLowerBound?: boolean;
}

export interface Series {
  name: string;
  style: Style;
  points: PlotPoint[];
  /** Single values behind the points, drawn small. */
  dots?: [number, number][];
}

export interface Axis {
  label: string;
  scale: Scale;
}

export interface Plot {
  /** Part of the name of the file when it is downloaded. */
  id: string;
  title: string;
  note?: string;
  x: Axis;
  /** Either numbers, or named bands: then `y` of a point is the number of its band, from 0. */
  y: Axis | { bands: string[] };
  series: Series[];
  /** A dashed line where y is x, with these words. */
  diagonal?: string;
}

export const colours = 8;

/** Light surfaces; downloads use these always. After Okabe and Ito, darkened for thin lines. */
export const lightColours = [
  "#0067a3",
  "#c24e00",
  "#00785a",
  "#a3457e",
  "#8a6400",
  "#3d4fc4",
  "#b3261e",
  "#555555",
];

export const darkColours = [
  "#6db7ee",
  "#ff9d5c",
  "#4fd0a8",
  "#f0a3d0",
  "#f2c94c",
  "#aab4ff",
  "#ff8a80",
  "#cccccc",
];

export const dashes = ["", "7 4", "2 3", "9 3 2 3"];

/** The outline of a marker about a place: circle, square, triangle, diamond, and so on. */
export function markPath(mark: number, x: number, y: number, radius: number): string {
  const polygon = (...corners: [number, number][]) =>
    "M" +
    corners.map(([dx, dy]) => `${at(x + dx * radius)} ${at(y + dy * radius)}`).join("L") +
    "Z";
  const around = (count: number, turn: number, inner?: number) =>
    polygon(
      ...Array.from({ length: inner ? 2 * count : count }, (_, index): [number, number] => {
        const angle = turn + (index * 2 * Math.PI) / (inner ? 2 * count : count);
        const reach = 1.15 * (inner && index % 2 === 1 ? inner : 1);
        return [reach * Math.sin(angle), -reach * Math.cos(angle)];
      }),
    );
  switch (mark % colours) {
    case 0: {
      const [left, right] = [at(x - radius), at(x + radius)];
      const arc = `A${at(radius)} ${at(radius)} 0 1 1`;
      return `M${left} ${at(y)}${arc} ${right} ${at(y)}${arc} ${left} ${at(y)}Z`;
    }
    case 1:
      return polygon([-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]);
    case 2:
      return around(3, 0);
    case 3:
      return around(4, 0);
    case 4:
      return around(3, Math.PI);
    case 5:
      return around(5, 0, 0.45);
    case 6:
      return around(4, Math.PI / 4, 0.35);
    default:
      return around(6, 0);
  }
}

export function at(value: number): number {
  return Math.round(value * 10) / 10;
}
