import type { SolverOptions } from "sliding-tile-pdb";
import { beforeEach, expect, test, vi } from "vitest";
import { FakeSolver, settle } from "../tests/solver.ts";

vi.mock("sliding-tile-pdb", () => ({ createSolver: () => Promise.reject(new Error("no")) }));
const { SolverCache } = await import("./cache.svelte.ts");

let made: FakeSolver[] = [];
let pending: ((solver: FakeSolver) => void)[] = [];
const game = { size: "4x4", goalText: "goal" };

function make(options: SolverOptions) {
  const fake = new FakeSolver(options);
  made.push(fake);
  return new Promise<typeof fake.solver>((resolve, reject) => {
    pending.push((solver) => resolve(solver.solver));
    options.signal?.addEventListener("abort", () =>
      reject(Object.assign(new Error("cancelled"), { code: "cancelled" })),
    );
  });
}
const finish = (index: number) => pending[index](made[index]);

beforeEach(() => {
  made = [];
  pending = [];
  game.size = "4x4";
  game.goalText = "goal";
});

test("one solver is created per goal, and cached", async () => {
  const solvers = new SolverCache(game, make);
  const [one, other] = [solvers.solver(), solvers.solver()];
  expect(made).toHaveLength(1);
  expect(made[0].options).toMatchObject({ size: "4x4", maxBuildTime: 2300, tables: "build" });
  expect(made[0].options.partition).toBeUndefined();
  expect(solvers.current?.isMaking).toBe(true);
  finish(0);
  expect(await one).toBe(await other);
  expect(solvers.current?.solver).toBe(await one);
});

test("the package's default is known after the first solver", async () => {
  const solvers = new SolverCache(game, make);
  expect(solvers.usual).toBeUndefined();
  const solver = solvers.solver();
  finish(0);
  await solver;
  expect(solvers.usual).toBe("default");
  const chosen = solvers.load("5-5-5");
  finish(1);
  await chosen;
  expect([solvers.partition, solvers.usual]).toEqual(["5-5-5", "default"]);
  expect(made[1].options.maxBuildTime).toBeUndefined();
  game.size = "7x7";
  expect(solvers.usual).toBe("none");
});

test("another goal hides the solver of the previous one, and cancels its creation", async () => {
  const solvers = new SolverCache(game, make);
  const first = solvers.solver();
  first.catch(() => undefined);
  game.goalText = "other";
  expect(solvers.current).toBeNull();
  void solvers.solver().catch(() => undefined);
  await expect(first).rejects.toThrow("cancelled");
  finish(1);
  await settle();
  expect(solvers.current?.request.goal).toBe("other");
  expect(solvers.entries).toHaveLength(1);
});

test("the last three are cached, the oldest is closed", async () => {
  const solvers = new SolverCache(game, make);
  for (const [index, size] of ["3x3", "4x3", "4x4", "3x2"].entries()) {
    game.size = size;
    const solver = solvers.solver();
    finish(index);
    await solver;
  }
  expect(made.map(({ isClosed }) => isClosed)).toEqual([true, false, false, false]);
  game.size = "4x4";
  await solvers.solver();
  expect(made).toHaveLength(4);
});

test("a failure is a sentence, and the next call tries again", async () => {
  let isBroken = true;
  const solvers = new SolverCache(game, (options) =>
    isBroken
      ? Promise.reject(new Error("no worker here"))
      : Promise.resolve(new FakeSolver(options).solver),
  );
  await expect(solvers.solver()).rejects.toThrow();
  expect(solvers.current?.failure?.text).toBe("No worker here.");
  isBroken = false;
  await solvers.solver();
  expect(solvers.current?.failure).toBeNull();
});

test("tables that cannot be loaded do not replace those in use", async () => {
  const solvers = new SolverCache(game, make);
  const before = solvers.solver();
  finish(0);
  await before;
  const loading = solvers.load("5-5-5");
  solvers.cancel();
  await expect(loading).rejects.toThrow("cancelled");
  expect(solvers.choice).toBeNull();
  expect(solvers.current?.solver).toBe(await before);
});

test.each(["size", "goalText"] as const)(
  "tables that were loaded for another %s do not end what the present board waits for",
  async (part) => {
    const solvers = new SolverCache(game, make);
    const loading = solvers.load("5-5-5");
    game.goalText = "other";
    if (part === "size") game.size = "4x3";
    const solver = solvers.solver();
    finish(0);
    await loading;
    finish(1);
    await solver;
    expect(made.map(({ isClosed }) => isClosed)).toEqual([false, false]);
    if (part === "size") expect(solvers.current?.solver).toBe(await solver);
  },
);

test("tables of other goal cells are built after an answer, until the next question", async () => {
  const idle = () => new Promise((resolve) => setTimeout(resolve, 250));
  const solvers = new SolverCache(game, make);
  const solver = solvers.solver();
  solvers.openOtherGoals();
  finish(0);
  await solver;
  await idle();
  expect(made[0].options.bothSides).toBe(false);
  expect(made[0].otherGoals).toHaveLength(0);
  solvers.openOtherGoals();
  await solvers.solver();
  await idle();
  expect(made[0].otherGoals).toHaveLength(0);
  solvers.openOtherGoals();
  await idle();
  expect(made[0].otherGoals.map((signal) => signal?.aborted)).toEqual([false]);
  await solvers.solverAtOnce();
  expect(made[0].otherGoals[0]?.aborted).toBe(true);
});

test("large trays do not build tables of other goal cells", async () => {
  vi.useFakeTimers();
  game.size = "5x5";
  const solvers = new SolverCache(game, make);
  const solver = solvers.solver();
  finish(0);
  await solver;
  solvers.openOtherGoals();
  vi.runAllTimers();
  vi.useRealTimers();
  expect(made[0].otherGoals).toHaveLength(0);
});

test("chosen partitions are stored for the next visit", async () => {
  let kept: unknown = null;
  const solvers = new SolverCache(game, make, null, (choices) => (kept = choices));
  solvers.choose("5-5-5");
  game.size = "3x3";
  solvers.choose("none");
  game.size = "5x5";
  expect(kept).toEqual({ "4x4 single": "5-5-5", "3x3 single": "none" });

  const next = new SolverCache(game, make, kept);
  expect(next.choice).toBeNull();
  game.size = "3x3";
  expect(next.choice).toBe("none");
  game.size = "4x4";
  expect(next.choice).toBe("5-5-5");
  // Building can take long, so it waits for a request.
  next.prepare();
  expect(made).toHaveLength(0);
});

test.each([null, 7, "6-6-3", { "4x4 single": 5 }])("anything else kept is ignored: %j", (kept) => {
  expect(new SolverCache(game, make, kept).choice).toBeNull();
});
