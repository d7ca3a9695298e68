import { beforeEach, expect, test, vi } from "vitest";
import { FakeSolver, settle } from "../tests/solver.ts";

vi.mock("sliding-tile-pdb", () => ({ createSolver: () => Promise.reject(new Error("no")) }));
const { Game } = await import("../game/game.svelte.ts");
const { SolverCache } = await import("../solver/cache.svelte.ts");
const { Playback } = await import("./playback.svelte.ts");
const { Search } = await import("./search.svelte.ts");

const board = [1, 2, 3, 4, 0, 6, 7, 5, 8];

let game: InstanceType<typeof Game>;
let playback: InstanceType<typeof Playback>;
let search: InstanceType<typeof Search>;
let fake: FakeSolver;

beforeEach(() => {
  game = new Game();
  game.setSize(3, 3);
  game.begin(board);
  const solvers = new SolverCache(game, (options) => {
    fake = new FakeSolver(options);
    return Promise.resolve(fake.solver);
  });
  playback = new Playback(game);
  search = new Search(solvers, game, playback);
});

test.each(["followed", "not"])("an answer for an older board is discarded: %s", async (way) => {
  const done = search.solve();
  await settle();
  game.play("R", "player");
  if (way === "followed") search.follow();
  expect(fake.asked[0].signal?.aborted).toBe(way === "followed");
  fake.asked[0].answer({ moves: "UL", length: 2, proved: true });
  await done;
  expect([playback.solution, search.outcome]).toEqual([null, null]);
});

test("shorter moves back are preferred to a longer new solution", async () => {
  const done = search.solve();
  await settle();
  fake.asked[0].answer({ moves: "UL", length: 2, bound: 2 });
  await done;
  game.play("R", "player");
  search.follow();
  await new Promise((resolve) => setTimeout(resolve, 200));
  fake.asked[1].answer({ moves: "LUDUL", length: 5, bound: 3 });
  await settle();
  expect(playback.solution?.letters).toBe("LUL");
});

/** Begins the search for a shortest solution of a 5x5 board that is one move from its goal. */
async function beginLarge(): Promise<{ done: Promise<void> }> {
  game.setSize(5, 5);
  game.begin([...game.tiles.slice(0, 23), 0, 24]);
  search.mode = "optimal";
  const done = search.solve();
  await settle();
  return { done };
}

test("a bound as large as the first solution proves it, and ends the search", async () => {
  const { done } = await beginLarge();
  fake.asked[0].answer({ moves: "LRL", length: 3, bound: 1, proved: false });
  await settle();
  const hear = (bound: number, ms: number) =>
    fake.asked[1].onProgress?.({ bound, nodes: 100 * ms, rate: 100_000, ms });
  hear(1, 100);
  expect(search.forecast).toBeNull();
  hear(1, 4000);
  expect([search.forecast, search.bestLength]).toEqual(["soon", 3]);
  hear(3, 5000);
  await done;
  expect(fake.asked[1].signal?.aborted).toBe(true);
  expect(search.phase).toBe("idle");
  expect(search.outcome?.text).toBe("3 moves: no solution is shorter.");
  expect(search.outcome?.detail).toContain("500,000 nodes");
});

test("the first solution is played while the proof continues", async () => {
  const prove = async () => {
    const { done } = await beginLarge();
    fake.asked.at(-1)?.answer({ moves: "RLL", length: 3, bound: 1, proved: false });
    await settle();
    playback.step();
    search.follow();
    expect([search.phase, playback.index]).toEqual(["search", 1]);
    return done;
  };
  const kept = prove();
  await settle();
  await settle();
  fake.asked.at(-1)?.answer({ moves: "RLL", length: 3, bound: 3, proved: true });
  await kept;
  expect([playback.index, search.outcome?.text]).toEqual([1, "3 moves: no solution is shorter."]);

  const left = prove();
  await settle();
  await settle();
  fake.asked.at(-1)?.answer({ moves: "L", length: 1, bound: 1, proved: true });
  await left;
  await vi.waitFor(() => expect(search.isQuiet).toBe(true));
  fake.asked.at(-1)?.answer({ moves: "LL", length: 2, bound: 2, proved: true });
  await settle();
  expect([playback.solution?.letters, playback.index]).toEqual(["LL", 0]);
});
