import { describe, expect, it } from "vitest";
import { solutionOf } from "../solve/solution.ts";
import { scaledTo, withinTime } from "./embedding.ts";
import { stepLines } from "./steps.ts";
import type { Metric, Step } from "sliding-tile-pdb";

const board = [1, 2, 3, 4, 5, 6, 7, 8, 0];

function solution(moves: string, metric: Metric = "single", steps?: Step[]) {
  const question = { game: "", prefix: "", board, columns: 3, metric };
  return solutionOf(question, { status: "solved", moves, steps });
}

describe("steps as text", () => {
  const steps: Step[] = [
    { action: "place", tile: 6, row: 3, column: 3, length: 1, moves: "D" },
    { action: "finish", tiles: [5, 8], length: 2, moves: "RU" },
  ];

  it("has a line per step, with its moves in the notation", () => {
    expect(stepLines(solution("DRU", "single", steps), "tile")).toEqual([
      "1. Place tile 6 at row 3 column 3. D",
      "2. Bring the last tiles into order: 5, 8. RU",
    ]);
    expect(stepLines(solution("DRU", "single", steps), "blank")[1]).toMatch(/ LD$/);
    expect(stepLines(solution("DRU", "single", steps), "numbers")[1]).toMatch(/ 5 8$/);
  });

  it("gives a run of two steps to the first", () => {
    const both: Step[] = [
      { action: "place", tile: 6, row: 3, column: 3, length: 1, moves: "D" },
      { action: "slide", length: 3, moves: "DR2" },
    ];
    const lines = stepLines(solution("D2R2", "multi", both), "tile");
    expect(lines).toEqual([
      "1. Place tile 6 at row 3 column 3. D2",
      "2. Slide the tiles along the line. R2",
    ]);
  });

  it("has rows of ten moves without steps", () => {
    const lines = stepLines(solution("DRULDRULDRUL"), "tile");
    expect(lines).toEqual(["1-10: D R U L D R U L D R", "11-12: U L"]);
  });
});

describe("a drawing of the package", () => {
  const svg =
    '<svg xmlns="x" width="136" height="272" viewBox="0 0 136 272"><rect width="136"/></svg>';

  it("is scaled by its longer side", () => {
    const scaled = scaledTo(svg, 1360);
    expect([scaled.width, scaled.height]).toEqual([680, 1360]);
    expect(scaled.svg).toContain(' width="680" height="1360" viewBox="0 0 136 272"');
    expect(scaled.svg).toContain('<rect width="136"/>');
  });

  it("plays within two minutes", () => {
    expect(withinTime(".p{animation:19500ms ease}")).toBe(".p{animation:19500ms ease}");
    expect(withinTime(".p{animation:670000ms ease}")).toBe(".p{animation:120000ms ease}");
  });
});
