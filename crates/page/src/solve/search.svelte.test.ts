import { beforeEach, expect, test, vi } from "vitest";
import { FakeSolver, settle } from "../solver/fake.ts";

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

test("an answer counts while the board is unchanged", async () => {
  const done = search.solve();
  await settle();
  expect(search.phase).toBe("search");
  fake.asked[0].answer({ moves: "UL", length: 2, proved: true });
  await done;
  expect(search.phase).toBe("idle");
  expect(playback.solution?.letters).toBe("UL");
  expect(search.outcome?.text).toBe("2 moves: no solution is shorter.");
  await vi.waitFor(() => expect(fake.otherGoals).toHaveLength(1));
});

test("an answer for an older board is discarded", async () => {
  const done = search.solve();
  await settle();
  game.play("R", "player");
  search.follow();
  expect(fake.asked[0].signal?.aborted).toBe(true);
  fake.asked[0].answer({ moves: "UL", length: 2, proved: true });
  await done;
  expect(playback.solution).toBeNull();
  expect(search.outcome).toBeNull();
});

test("an answer is discarded if the game moved unobserved", async () => {
  const done = search.solve();
  await settle();
  fake.asked[0].answer({ moves: "UL", length: 2 });
  game.begin([1, 2, 3, 4, 5, 6, 7, 0, 8]);
  await done;
  expect(playback.solution).toBeNull();
});

test("cancelling is immediate, and later events of the search are ignored", async () => {
  const done = search.solve();
  await settle();
  search.cancel();
  expect(search.phase).toBe("idle");
  expect(search.outcome?.text).toBe("Cancelled.");
  await done;
  expect(search.outcome?.text).toBe("Cancelled.");
});

test("if the player leaves the solution, a new one is found automatically", async () => {
  const done = search.solve();
  await settle();
  fake.asked[0].answer({ moves: "UL", length: 2, proved: true });
  await done;
  game.play("R", "player");
  search.follow();
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(search.isQuiet).toBe(true);
  expect(fake.asked[1].board).toBe(game.text);
  fake.asked[1].answer({ moves: "LUL", length: 3, proved: true });
  await settle();
  expect(playback.index).toBe(0);
  expect(search.outcome?.text).toBe("3 moves: no solution is shorter. Your way is 2 longer.");
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

test("a large board has a solution to play during the search for the shortest", async () => {
  game.setSize(5, 5);
  game.begin([...game.tiles.slice(0, 23), 0, 24]);
  search.mode = "optimal";
  const done = search.solve();
  await settle();
  fake.asked[0].answer({ moves: "LRL", length: 3, bound: 1, proved: false });
  await settle();
  expect(fake.asked).toHaveLength(2);
  expect([search.phase, playback.solution?.letters]).toEqual(["search", "LRL"]);
  search.cancel();
  await done;
  expect(search.outcome?.text).toBe("Stopped. 3 moves; a shortest solution has at least 1.");

  const again = search.solve();
  await settle();
  fake.asked[2].answer({ moves: "LRL", length: 3, bound: 1, proved: false });
  await settle();
  fake.asked[3].answer({ moves: "L", length: 1, bound: 1, proved: true });
  await again;
  expect([playback.solution?.letters, search.outcome?.text]).toEqual([
    "L",
    "1 move: no solution is shorter.",
  ]);
});

test("a bound as large as the first solution proves it, and ends the search", async () => {
  game.setSize(5, 5);
  game.begin([...game.tiles.slice(0, 23), 0, 24]);
  search.mode = "optimal";
  const done = search.solve();
  await settle();
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

test("a solution from elsewhere is played from the board that it solves", () => {
  const question = search.ask();
  const report = { status: "solved", moves: "UL", length: 2, proved: true } as const;
  game.play("R", "player");
  expect(search.adopt(question, report)).toBe(true);
  expect([game.moves, playback.index, playback.solution?.letters]).toEqual(["", 0, "UL"]);
  game.begin([1, 2, 3, 4, 5, 6, 7, 0, 8]);
  expect(search.adopt(question, report)).toBe(false);
});

test("the first solution is played while the proof continues", async () => {
  const prove = async () => {
    game.setSize(5, 5);
    game.begin([...game.tiles.slice(0, 23), 0, 24]);
    search.mode = "optimal";
    const done = search.solve();
    await settle();
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
