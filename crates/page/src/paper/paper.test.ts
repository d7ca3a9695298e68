import type { Metric, Step } from "sliding-tile-pdb";
import { describe, expect, it } from "vitest";
import { arrowLabels, boardAfter } from "../solve/moves.ts";
import { solutionOf } from "../solve/solution.ts";
import { withinTime } from "./save.ts";
import { blocksOf, drawingsOf, spacing, stepStarts } from "./plan.ts";

const goal = [1, 2, 3, 4, 5, 6, 7, 8, 0];

/** A 3x3 solution with these moves, which need not reach the goal. */
function solution(moves: string, metric: Metric = "single", steps?: Step[]) {
  const question = { game: "", prefix: "", board: goal, columns: 3, metric };
  return solutionOf(question, { status: "solved", moves, steps });
}

const around = "DRULDRULDRULDRULDRULDRUL"; // 24 moves, never the same twice in a row

describe("spacing of drawings", () => {
  it("is ten moves for usual solutions, and more for long ones", () => {
    expect(spacing(55, 16)).toBe(10);
    expect(spacing(600, 16)).toBe(10);
    expect(spacing(601, 16)).toBe(20);
    expect(spacing(2248, 100)).toBe(50);
    expect(spacing(19_502, 400)).toBe(2000);
    expect(spacing(0, 4)).toBe(10);
  });

  it("bounds the drawings for any length and size", () => {
    for (const cells of [4, 16, 100, 400]) {
      for (let moves = 1; moves < 1e6; moves = Math.ceil(moves * 1.7)) {
        const drawings = Math.ceil(moves / spacing(moves, cells));
        expect(drawings).toBeLessThanOrEqual(60);
        expect(drawings * cells).toBeLessThanOrEqual(6000);
      }
    }
  });
});

describe("a solution on paper", () => {
  it("has the steps before the moves with which they begin", () => {
    const steps: Step[] = [
      { action: "place", tile: 1, row: 1, column: 1, length: 4, moves: around.slice(0, 4) },
      { action: "place", tile: 2, row: 1, column: 2, length: 0, moves: "" },
      { action: "slide", length: 20, moves: around.slice(4) },
    ];
    expect(stepStarts(solution(around, "single", steps))).toEqual([0, 4, 4]);
    const blocks = blocksOf(solution(around, "single", steps), 10);
    expect(blocks.map((block) => block.steps)).toEqual([[1], [2, 3], [], []]);
    expect(blocks.map((block) => block.rows.map((row) => row.number))).toEqual([
      [1],
      [5],
      [11],
      [21],
    ]);
  });

  it("counts runs as one move", () => {
    const runs = solution("D2R2U2L2", "multi");
    expect(arrowLabels(runs)).toEqual(["6 3↓", "2 1→", "4 7↑", "8 6←"]);
    expect(drawingsOf(runs, 10)).toEqual([{ made: 4, tiles: boardAfter(goal, 3, "DDRRUULL") }]);
  });

  it("without moves has no block", () => {
    expect(blocksOf(solution(""), 10)).toEqual([]);
  });
});

it("an animation of the package plays within two minutes", () => {
  expect(withinTime(".p{animation:19500ms ease}")).toBe(".p{animation:19500ms ease}");
  expect(withinTime(".p{animation:670000ms ease}")).toBe(".p{animation:120000ms ease}");
});
