import type { ComparisonRecord } from "sliding-tile-pdb";
import { describe, expect, it } from "vitest";
import { layOut } from "./layout.ts";
import { markPath, type Plot } from "./plot.ts";
import { plotsOf, setsOf } from "./plots.ts";
import { plotSvg } from "./svg.ts";

/** Searches of 20 boards in two sets of each size, some ended by a limit. */
function sample(): ComparisonRecord[] {
  const records: ComparisonRecord[] = [];
  for (const size of ["3x3", "4x4"]) {
    for (const moves of [10, 50]) {
      for (const search of ["astar", "greedy", "breadth-first"]) {
        for (const heuristic of search === "breadth-first" ? ["none"] : ["manhattan", "5-3"]) {
          for (let number = 1; number <= 20; number += 1) {
            const isCut = search === "astar" && moves === 50 && number > 15;
            const shortest = (moves / 10) * 4 + (number % 5);
            records.push({
              set: `walk-${moves}`,
              size,
              goal: "g",
              number,
              board: `${size} ${moves} ${number}`,
              search,
              heuristic,
              status: isCut ? "limit" : "solved",
              ...(isCut
                ? { limit: "nodes" as const }
                : { length: shortest * (search === "greedy" ? 3 : 1) }),
              ...(!isCut && search !== "greedy" && { optimal_length: shortest }),
              h0: 3,
              generated: number === 1 ? 0 : shortest ** 3,
              expanded: shortest ** 2,
              reopened: 0,
              peak: 5,
              peak_bytes: 100,
              ms: number === 1 ? 0 : 0.25,
            });
          }
        }
      }
    }
  }
  return records;
}

const plots = (key: string): Record<string, Plot> =>
  Object.fromEntries(plotsOf(sample(), key).map((plot) => [plot.id, plot]));

describe("plots", () => {
  it("gives a heuristic the same colour whatever else is compared, in any order", () => {
    const [first] = sample();
    const marks = (...heuristics: string[]) => {
      const records = heuristics.map((heuristic) => ({ ...first, search: "astar", heuristic }));
      const plot = plotsOf(records, "3x3 walk-10").find(({ id }) => id === "nodes-by-length");
      return new Map(plot?.series.map(({ name, style }) => [name, style.mark]));
    };
    const all = marks("5-3", "zero", "manhattan", "misplaced");
    expect(new Set(all.values()).size).toBe(4);
    for (const [name, mark] of marks("manhattan", "5-3", "zero")) expect(all.get(name)).toBe(mark);
  });

  it("has all of them for sets of random moves", () => {
    expect(setsOf(sample()).map(({ title }) => title)).toEqual([
      "3x3, 10 moves",
      "3x3, 50 moves",
      "4x4, 10 moves",
      "4x4, 50 moves",
    ]);
    expect(Object.keys(plots("4x4 walk-50"))).toEqual([
      "nodes-by-length",
      "nodes-by-heuristic",
      "time-by-heuristic",
      "nodes-by-shuffles",
      "length-by-shuffles",
    ]);
    expect(plotsOf(sample(), "nothing")).toEqual([]);
  });

  it("places a board at its shortest length for every search", () => {
    const plot = plots("3x3 walk-10")["nodes-by-length"];
    for (const { points } of plot.series) {
      expect(points.map(({ x }) => x)).toEqual([4, 5, 6, 7, 8]);
    }
  });

  it("says where a limit makes means too small", () => {
    const { series, note } = plots("3x3 walk-50")["nodes-by-heuristic"];
    const [astar, greedy] = series;
    expect(astar.points.every(({ isLowerBound }) => isLowerBound)).toBe(true);
    expect(astar.points[0].words).toMatch(/more than .* 5 of 20 over the limit/);
    expect(greedy.points.some(({ isLowerBound }) => isLowerBound)).toBe(false);
    expect(note).toBeDefined();
  });

  it("counts a board once in the length of shortest solutions", () => {
    const { series } = plots("3x3 walk-10")["length-by-shuffles"];
    expect(series[0].name).toBe("3x3, shortest");
    expect(series[0].points.map(({ x, y }) => [x, y])).toEqual([
      [10, 6],
      [50, 22],
    ]);
    expect(series[0].points[0].words).toContain("20 boards");
  });

  it("tells series apart by more than colour", () => {
    for (const plot of Object.values(plots("4x4 walk-50"))) {
      const looks = plot.series.map(({ style }) => `${style.mark} ${style.dash}`);
      expect(new Set(looks).size).toBe(looks.length);
    }
    const outlines = Array.from({ length: 8 }, (_, mark) => markPath(mark, 0, 0, 5));
    expect(new Set(outlines).size).toBe(8);
  });
});

describe("layout", () => {
  it("keeps everything on the surface, on phones too", () => {
    for (const plot of Object.values(plots("4x4 walk-50"))) {
      for (const width of [240, 320, 700]) {
        const drawing = layOut(plot, width, new Set());
        const { height } = drawing;
        for (const { x, y } of [...drawing.marks, ...drawing.texts]) {
          expect(x).toBeGreaterThanOrEqual(0);
          expect(x).toBeLessThanOrEqual(width);
          expect(y).toBeGreaterThanOrEqual(0);
          expect(y).toBeLessThanOrEqual(height);
        }
        for (const { d } of drawing.paths) expect(d).toMatch(/^[MLHh0-9. -]+$/);
      }
    }
  });

  it("leaves out what is hidden", () => {
    const plot = plots("3x3 walk-10")["nodes-by-length"];
    const { marks } = layOut(plot, 400, new Set([0]));
    expect(marks.some(({ series }) => series === 0)).toBe(false);
    expect(marks.length).toBeGreaterThan(0);
  });
});

describe("svg", () => {
  it("is one document with its words escaped", () => {
    const plot = plots("3x3 walk-10")["nodes-by-length"];
    const text = plotSvg({ ...plot, title: 'a < b & "c"' });
    expect(text).toContain("<title>a &lt; b &amp; &quot;c&quot;</title>");
    expect(text).not.toMatch(/NaN|undefined|var\(/);
    expect(text.match(/<g/g)?.length).toBe(text.match(/<\/g>/g)?.length);
  });
});
