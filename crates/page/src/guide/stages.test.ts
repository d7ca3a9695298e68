import { expect, test } from "vitest";
import { createSolver, type Step } from "sliding-tile-pdb";
import { preset } from "../goal/preset.ts";
import { boardText, ordered, uniform } from "sliding-tile-pdb/board-rules";
import { seeded } from "../tests/solver.ts";
import { boardAfter, lettersOf } from "../solve/moves.ts";
import { firstOpen, homes, stagesOf } from "./stages.ts";

const names = ["blank-last", "blank-first", "snake", "spiral"] as const;
const sizes = ["2x2", "3x2", "2x5", "3x3", "4x4", "5x3", "4x6", "20x20"].map((size) => {
  const [columns, rows] = size.split("x").map(Number);
  return { size, columns, rows };
});

test("the stages of 4x4 with the default goal", () => {
  const stages = stagesOf(preset("blank-last", 4, 4), 4);
  expect(stages.map(({ kind, line, tiles }) => `${kind} ${line}: ${tiles.join(" ")}`)).toEqual([
    "row 1: 1",
    "row 1: 2",
    "row 1: 3 4",
    "column 1: 5",
    "column 1: 9 13",
    "row 2: 6",
    "row 2: 7 8",
    "last 0: 10 11 12 14 15",
  ]);
});

test.each(sizes)("every tile of $size comes home once", ({ columns, rows }) => {
  for (const name of names) {
    const goal = preset(name, columns, rows);
    const tiles = stagesOf(goal, columns).flatMap((stage) => stage.tiles);
    expect(tiles.sort((a, b) => a - b)).toEqual(ordered(columns * rows).slice(0, -1));
  }
});

test.each(sizes)("the package's steps follow the stages on $size", async (tray) => {
  const { size, columns, rows } = tray;
  for (const name of names) {
    const goal = preset(name, columns, rows);
    const stages = stagesOf(goal, columns);
    const board = uniform(goal, columns, seeded(columns * rows));
    const solver = await createSolver({
      size,
      goal: boardText(goal, columns),
      partition: "none",
      tables: "none",
      worker: false,
    });
    const question = { mode: "strategic", explain: true } as const;
    const { steps = [] } = await solver.solve(boardText(board, columns), question);
    solver.close();
    let [tiles, open] = [board, firstOpen(stages, homes(board, goal))];
    for (const step of steps) {
      const stage = stages[open];
      expect(own(step).filter((tile) => !stage.tiles.includes(tile))).toEqual([]);
      tiles = boardAfter(tiles, columns, lettersOf(step.moves));
      const next = firstOpen(stages, homes(tiles, goal));
      expect(next).toBeGreaterThanOrEqual(open);
      open = next;
    }
    expect(open).toBe(stages.length);
  }
});

const own = (step: Step): number[] => step.tiles ?? (step.tile ? [step.tile] : []);
