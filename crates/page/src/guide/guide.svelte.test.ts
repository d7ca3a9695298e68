import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createSolver, type Solver } from "sliding-tile-pdb";
import type { Mark } from "../board/marks.svelte.ts";
import { Game, type Way } from "../game/game.svelte.ts";
import { back } from "sliding-tile-pdb/board-rules";
import { Guide } from "./guide.svelte.ts";

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
