// Plots laid out on a surface: everything that is drawn, in pixels.

import { at, type Plot, type Style } from "./plot.ts";
import { short } from "./scale.ts";

export interface Mark {
  x: number;
  y: number;
  style: Style;
  /** The number of its series among those given. */
  series: number;
  words: string;
  isLowerBound: boolean;
}

export interface Drawing {
  width: number;
  height: number;
  rules: { x1: number; y1: number; x2: number; y2: number; isAxis: boolean }[];
  texts: {
    x: number;
    y: number;
    text: string;
    anchor: "start" | "middle" | "end";
    kind: "tick" | "label" | "band";
  }[];
  paths: { d: string; style: Style | null; kind: "line" | "dots" | "reference" }[];
  marks: Mark[];
}

/** What is drawn on this width; `hidden` series are left out, and axes stay as they are. */
export function layOut(plot: Plot, width: number, hidden: ReadonlySet<number>): Drawing {
  return "bands" in plot.y ? bands(plot, plot.y.bands, width, hidden) : plane(plot, width, hidden);
}

const right = 14;

function plane(plot: Plot, width: number, hidden: ReadonlySet<number>): Drawing {
  if ("bands" in plot.y) throw new Error("a plane has numbers on both axes");
  const { x, y } = plot;
  const height = Math.round(Math.min(420, Math.max(260, width * 0.62)));
  const names = y.scale.ticks.map(short);
  const left = 14 + 7.5 * Math.max(...names.map((name) => name.length));
  const [top, bottom] = [30, height - 40];
  const toX = (value: number) => at(left + x.scale.place(value) * (width - right - left));
  const toY = (value: number) => at(bottom - y.scale.place(value) * (bottom - top));
  const drawing: Drawing = { width, height, rules: [], texts: [], paths: [], marks: [] };
  y.scale.ticks.forEach((tick, index) => {
    const place = toY(tick);
    drawing.rules.push({ x1: left, x2: width - right, y1: place, y2: place, isAxis: index === 0 });
    drawing.texts.push({
      x: left - 6,
      y: place + 4,
      text: names[index],
      anchor: "end",
      kind: "tick",
    });
  });
  abscissa(drawing, plot, toX, left, top, bottom);
  drawing.texts.push({ x: 2, y: 14, text: y.label, anchor: "start", kind: "label" });
  if (plot.diagonal !== undefined) {
    const low = Math.max(x.scale.domain[0], y.scale.domain[0]);
    const high = Math.min(x.scale.domain[1], y.scale.domain[1]);
    const d = `M${toX(low)} ${toY(low)}L${toX(high)} ${toY(high)}`;
    drawing.paths.push({ d, style: null, kind: "reference" });
    const text = plot.diagonal;
    drawing.texts.push({ x: toX(high) - 4, y: toY(high) + 16, text, anchor: "end", kind: "tick" });
  }
  plot.series.forEach(({ style, points, dots }, series) => {
    if (hidden.has(series)) return;
    if (dots?.length) {
      const d = dots.map(([first, second]) => `M${toX(first)} ${toY(second)}h0`).join("");
      drawing.paths.push({ d, style, kind: "dots" });
    }
    const places = points.map((point) => ({ ...point, x: toX(point.x), y: toY(point.y) }));
    if (places.length > 1) {
      const d = `M${places.map((place) => `${place.x} ${place.y}`).join("L")}`;
      drawing.paths.push({ d, style, kind: "line" });
    }
    for (const { x, y, words, isLowerBound = false } of places) {
      drawing.marks.push({ x, y, words, isLowerBound, style, series });
    }
  });
  return drawing;
}

/** Names stand above their bands, not beside them: long ones then fit on a phone. */
function bands(plot: Plot, names: string[], width: number, hidden: ReadonlySet<number>): Drawing {
  const shown = plot.series.map((_, index) => index).filter((index) => !hidden.has(index));
  const step = 20;
  const bandHeight = 26 + step * Math.max(1, shown.length);
  const [top, left] = [4, 10];
  const bottom = top + bandHeight * names.length + 4;
  const { x } = plot;
  const toX = (value: number) => at(left + x.scale.place(value) * (width - right - left - 18));
  const drawing: Drawing = {
    width,
    height: bottom + 40,
    rules: [],
    texts: [],
    paths: [],
    marks: [],
  };
  abscissa(drawing, plot, toX, left, top, bottom);
  drawing.rules.push({ x1: left, x2: left, y1: top, y2: bottom, isAxis: true });
  names.forEach((text, band) => {
    const y = top + band * bandHeight + 17;
    drawing.texts.push({ x: left + 6, y, text, anchor: "start", kind: "band" });
  });
  shown.forEach((series, row) => {
    const { style, points } = plot.series[series];
    for (const { x: value, y: band, words, isLowerBound = false } of points) {
      const x = toX(value);
      const y = top + band * bandHeight + 26 + row * step + step / 2 - 4;
      drawing.paths.push({ d: `M${left} ${y}H${x}`, style, kind: "line" });
      drawing.marks.push({ x, y, words, isLowerBound, style, series });
    }
  });
  return drawing;
}

function abscissa(
  drawing: Drawing,
  { x }: Plot,
  toX: (value: number) => number,
  left: number,
  top: number,
  bottom: number,
): void {
  const ends = drawing.width - right;
  let free = -Infinity;
  x.scale.ticks.forEach((tick) => {
    const place = toX(tick);
    const text = short(tick);
    drawing.rules.push({ x1: place, x2: place, y1: top, y2: bottom, isAxis: false });
    const half = text.length * 3.7 + 3;
    if (place - half < free) return;
    free = place + half;
    // The first one may stand at the border.
    const anchor = place < half ? "start" : "middle";
    drawing.texts.push({
      x: anchor === "start" ? 0 : place,
      y: bottom + 17,
      text,
      anchor,
      kind: "tick",
    });
  });
  drawing.rules.push({ x1: left, x2: ends, y1: bottom, y2: bottom, isAxis: true });
  const y = bottom + 35;
  drawing.texts.push({ x: ends, y, text: x.label, anchor: "end", kind: "label" });
}
