import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createSolver, type Solver, type Step } from "sliding-tile-pdb";
import type { Mark } from "../board/marks.svelte.ts";
import { Game, type Way } from "../game/game.svelte.ts";
import { back, boardText, ordered, uniform } from "sliding-tile-pdb/board-rules";
import { Guide } from "./guide.svelte.ts";
import { preset } from "../goal/preset.ts";
import { seeded } from "../tests/solver.ts";
import { boardAfter, lettersOf } from "../solve/moves.ts";
import { firstOpen, homes, stagesOf } from "./stages.ts";

const start = [8, 11, 0, 12, 10, 9, 7, 5, 1, 2, 3, 6, 15, 13, 4, 14];

let solver: Solver;
let game: Game;
let marks: Map<number, Mark>;
let guide: Guide;

beforeAll(async () => {
  solver = await createSolver({ size: "4x4", partition: "none", tables: "none", worker: false });
});
afterAll(() => solver.close());

beforeEach(() => {
  vi.useRealTimers();
  game = new Game();
  game.setSize(4, 4);
  game.begin(start);
  marks = new Map();
  const steps = (board: string) => solver.solve(board, { mode: "strategic", explain: true });
  guide = new Guide(game, async (board) => (await steps(board)).steps ?? [], marks);
});

/** Waits until the guide has planned. */
const planned = () => vi.waitFor(() => expect(guide.moves.length).toBeGreaterThan(0));

async function play(ways: readonly Way[]): Promise<void> {
  for (const way of ways) {
    expect(game.play(way, "player")).toBe(true);
    guide.follow();
  }
}

const ways = () => guide.moves.map(({ way }) => way);

test("a tile of an earlier step may be displaced for a while", async () => {
  guide.start();
  await planned();
  await play(ways());
  const made = [...game.moves] as Way[];
  await play([back[made.at(-1)!]]);
  expect([guide.index, guide.away]).toEqual([1, [1]]);
  await play([made.at(-1)!]);
  expect([guide.index, guide.away]).toEqual([1, []]);
});

test("a step whose tiles are displaced again is the next one", async () => {
  guide.start();
  await planned();
  while (guide.index < 6) {
    guide.make(0);
    guide.follow();
  }
  game.seek(0);
  guide.follow();
  expect(guide.index).toBe(0);
});

test("another game resets the guide, and its end removes the marks", async () => {
  guide.start();
  await planned();
  game.begin([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0, 15]);
  guide.follow();
  expect(guide.stage?.kind).toBe("last");
  await planned();
  expect([...marks]).toEqual([[15, "hint"]]);
  guide.stop();
  expect(marks.size).toBe(0);
  await play(["L"]);
  expect([marks.size, guide.isOn]).toEqual([0, false]);
});

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
