import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createSolver, type Solver, type Step } from "sliding-tile-pdb";
import { announcer } from "../common/announce.svelte.ts";
import type { Mark } from "../board/marks.svelte.ts";
import { Game, type Way } from "../game/game.svelte.ts";
import { back } from "../game/rules.ts";
import { Guide } from "./guide.svelte.ts";

const start = [8, 11, 0, 12, 10, 9, 7, 5, 1, 2, 3, 6, 15, 13, 4, 14];

let solver: Solver;
let game: Game;
let marks: Map<number, Mark>;
let guide: Guide;
let asked: string[];

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
  asked = [];
  const planner = async (board: string): Promise<readonly Step[]> => {
    asked.push(board);
    const { steps = [] } = await solver.solve(board, { mode: "strategic", explain: true });
    return steps;
  };
  guide = new Guide(game, planner, marks);
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

test("the first step is marked, and its moves lead to the next", async () => {
  guide.start();
  await planned();
  expect([guide.index, guide.stage?.tiles]).toEqual([0, [1]]);
  expect([...marks]).toEqual([[1, "hint"]]);
  expect(game.assisted).toBe(true);
  await play(ways());
  expect([guide.index, guide.stage?.tiles]).toEqual([1, [2]]);
  expect([...marks]).toEqual([[2, "hint"]]);
  expect(asked).toHaveLength(1);
  await vi.waitFor(() => expect(announcer.text).toMatch(/^Done. Next: Bring tile 2 to row 1/));
});

test("other moves are followed, with a new plan", async () => {
  guide.start();
  await planned();
  const [first] = ways();
  const other = (["U", "D", "L", "R"] as const).find((way) => way !== first && game.play(way))!;
  guide.follow();
  expect(guide.moves).toEqual([]);
  await planned();
  expect(asked).toHaveLength(2);
  expect(guide.stage?.tiles).toEqual([1]);
  expect(other).toBeDefined();
});

test("shown moves mark the next tile with its direction", async () => {
  guide.start();
  await planned();
  guide.showMoves(true);
  const [{ tile, way }] = guide.moves;
  expect(marks.get(tile)).toBe(`hint ${way}`);
  await play([way]);
  const [next] = guide.moves;
  expect(marks.get(next.tile)).toBe(`hint ${next.way}`);
  guide.showMoves(false);
  expect([...marks]).toEqual([[1, "hint"]]);
});

test("all parts to the end solve the board", async () => {
  guide.start();
  await planned();
  const seen: number[] = [];
  while (!game.isSolved) {
    seen.push(guide.index);
    guide.make(0);
    guide.follow();
  }
  expect([...new Set(seen)]).toEqual([...new Set(seen)].sort((a, b) => a - b));
  expect([guide.index, guide.stage, marks.size]).toEqual([guide.stages.length, null, 0]);
  game.undo();
  guide.follow();
  expect(guide.stage?.kind).toBe("last");
});

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
