import { beforeEach, expect, test, vi } from "vitest";
import type { Rating, Solver } from "sliding-tile-pdb";

vi.mock("sliding-tile-pdb", () => ({ createSolver: () => Promise.reject(new Error("no")) }));
const { Game } = await import("../game/game.svelte.ts");
const { SolverCache } = await import("../solver/cache.svelte.ts");
const { FakeSolver } = await import("../tests/solver.ts");
const { GameRating, judgedOf, summaryOf } = await import("./rating.svelte.ts");

const kept = { kept: true, lost: 0, bound: 2, distance: 2 };
const rows = (side: number) => Array<string>(side).fill(Array(side).fill("1").join(" ")).join("/");
const rating: Rating = {
  board: "",
  moves: "RLU",
  distance: 2,
  bound: 2,
  exact: true,
  length: 3,
  left: 1,
  kept: 2,
  lost: 2,
  credit: 66.7,
  efficiency: 50,
  steps: [
    { ...kept, tiles: [4], moves: "R", distance: 3, bound: 3, kept: false, lost: 2 },
    { ...kept, tiles: [4], moves: "L" },
    { ...kept, tiles: [5], moves: "U" },
  ],
  nodes: 1,
  tables: "8",
};

let game: InstanceType<typeof Game>;
let judge: InstanceType<typeof GameRating>;
let rate: ReturnType<typeof vi.fn<Solver["rate"]>>;

beforeEach(() => {
  game = new Game();
  game.setSize(3, 3);
  game.begin([1, 2, 3, 4, 0, 6, 7, 5, 8]);
  rate = vi.fn<Solver["rate"]>(() => Promise.resolve(rating));
  const solvers = new SolverCache(game, (options) =>
    Promise.resolve({ ...new FakeSolver(options).solver, rate }),
  );
  judge = new GameRating(solvers, game);
  for (const way of ["R", "L", "U"] as const) game.play(way, "player");
});

test("a game without proved distances is not rated", () => {
  const steps = rating.steps.map((step) => ({ ...step, bound: step.distance - 1 }));
  const board = rows(5);
  const unproved = { ...rating, board, exact: false, bound: 1, steps };
  expect(judgedOf(unproved).some(({ isKnown }) => isKnown)).toBe(false);
  expect(summaryOf(unproved)).toMatch(/^Shortest distances of 5x5 boards are seldom proved/);
  expect(summaryOf({ ...unproved, board: rows(4) })).toMatch(/could not be proved in time/);
});

test("a move is rated if the distances before and after it are proved", async () => {
  const [first, second, third] = rating.steps.map((step) => ({ ...step, bound: step.distance }));
  const open = { ...third, bound: 0, kept: false, lost: 4 };
  const partly = { ...rating, board: rows(5), exact: false, steps: [first, second, open] };
  expect(judgedOf(partly).map(({ isKnown }) => isKnown)).toEqual([true, true, false]);
  expect(summaryOf(partly)).toBe(
    "2 of 3 moves can be judged: 1 were best, the rest cost 2 moves more. " +
      "The others are not known on this size.",
  );
  rate.mockResolvedValueOnce(partly);
  await judge.judge();
  expect(judge.losses.map(({ number }) => number)).toEqual([1]);
});

test("a rating is help, but not after the board is solved", async () => {
  game.begin([1, 2, 3, 4, 5, 6, 7, 0, 8]);
  game.play("L", "player");
  expect(game.isSolved).toBe(true);
  await judge.judge();
  expect(game.assisted).toBe(false);
  game.undo();
  game.play("R", "player");
  await judge.judge();
  expect(game.assisted).toBe(true);
});

test("a new game has no rating, not even a late one", async () => {
  const late = judge.judge();
  game.begin([1, 2, 3, 4, 5, 6, 7, 0, 8]);
  judge.follow();
  await late;
  expect(judge.rating).toBeNull();
});

test.each(["cancelled", "failed"])("a rating stays old when the next one is %s", async (end) => {
  await judge.judge();
  game.play("R", "player");
  expect(judge.isOld).toBe(true);
  rate.mockRejectedValueOnce(new Error("no"));
  const next = judge.judge();
  if (end === "cancelled") judge.cancel();
  await next;
  expect(judge.failure).toBe(end === "failed" ? "No." : null);
  expect([judge.rating === null, judge.isOld]).toEqual([false, true]);
});
