import type { SolverOptions } from "sliding-tile-pdb";
import { beforeEach, expect, test, vi } from "vitest";
import { FakeSolver, settle } from "./fake.ts";

vi.mock("sliding-tile-pdb", () => ({ createSolver: () => Promise.reject(new Error("no")) }));
const { Engine } = await import("./engine.svelte.ts");

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

test("one solver is made for a goal, and kept", async () => {
  const engine = new Engine(game, make);
  const [one, other] = [engine.solver(), engine.solver()];
  expect(made).toHaveLength(1);
  expect(made[0].options).toMatchObject({ size: "4x4", maxBuildTime: 2300, tables: "build" });
  expect(made[0].options.partition).toBeUndefined();
  expect(engine.current?.isMaking).toBe(true);
  finish(0);
  expect(await one).toBe(await other);
  expect(engine.current?.solver).toBe(await one);
});

test("what the package took is known from then on", async () => {
  const engine = new Engine(game, make);
  expect(engine.usual).toBeUndefined();
  const solver = engine.solver();
  finish(0);
  await solver;
  expect(engine.usual).toBe("default");
  const chosen = engine.load({ partition: "5-5-5", source: "build", origin: "" });
  finish(1);
  await chosen;
  expect([engine.partition, engine.usual]).toEqual(["5-5-5", "default"]);
  expect(made[1].options.maxBuildTime).toBeUndefined();
  game.size = "7x7";
  expect(engine.usual).toBe("none");
});

test("another goal does not show the solver of the one before, and ends its making", async () => {
  const engine = new Engine(game, make);
  const first = engine.solver();
  first.catch(() => undefined);
  game.goalText = "other";
  expect(engine.current).toBeNull();
  void engine.solver().catch(() => undefined);
  await expect(first).rejects.toThrow("cancelled");
  finish(1);
  await settle();
  expect(engine.current?.request.goal).toBe("other");
  expect(engine.entries).toHaveLength(1);
});

test("the last three are kept, the oldest is closed", async () => {
  const engine = new Engine(game, make);
  for (const [index, size] of ["3x3", "4x3", "4x4", "3x2"].entries()) {
    game.size = size;
    const solver = engine.solver();
    finish(index);
    await solver;
  }
  expect(made.map(({ isClosed }) => isClosed)).toEqual([true, false, false, false]);
  game.size = "4x4";
  await engine.solver();
  expect(made).toHaveLength(4);
});

test("a failure is a sentence, and the next call tries again", async () => {
  let isBroken = true;
  const engine = new Engine(game, (options) =>
    isBroken
      ? Promise.reject(new Error("no worker here"))
      : Promise.resolve(new FakeSolver(options).solver),
  );
  await expect(engine.solver()).rejects.toThrow();
  expect(engine.current?.failure?.text).toBe("No worker here.");
  isBroken = false;
  await engine.solver();
  expect(engine.current?.failure).toBeNull();
});

test("tables that cannot be loaded leave those in use as they are", async () => {
  const engine = new Engine(game, make);
  const before = engine.solver();
  finish(0);
  await before;
  const bytes = new Uint8Array(4);
  const loading = engine.load({ partition: undefined, source: bytes, origin: "x.pdb" }, (entry) =>
    setTimeout(() => entry.close()),
  );
  await expect(loading).rejects.toThrow("cancelled");
  expect(engine.choice).toBeNull();
  expect(engine.current?.solver).toBe(await before);
});

test.each(["size", "goalText"] as const)(
  "tables that were loaded for another %s do not end what the present board waits for",
  async (part) => {
    const engine = new Engine(game, make);
    const loading = engine.load({ partition: "5-5-5", source: "build", origin: "" });
    game.goalText = "other";
    if (part === "size") game.size = "4x3";
    const solver = engine.solver();
    finish(0);
    await loading;
    finish(1);
    await solver;
    expect(made.map(({ isClosed }) => isClosed)).toEqual([false, false]);
    if (part === "size") expect(engine.current?.solver).toBe(await solver);
  },
);

test("cancelling forgets what is being made", async () => {
  const engine = new Engine(game, make);
  const solver = engine.solver();
  solver.catch(() => undefined);
  engine.cancel();
  await expect(solver).rejects.toThrow("cancelled");
  expect(engine.current).toBeNull();
});

test("partitions that were chosen are kept for the next visit, files are not", async () => {
  let kept: unknown = null;
  const engine = new Engine(game, make, null, (choices) => (kept = choices));
  engine.choose({ partition: "5-5-5", source: "build", origin: "" });
  game.size = "3x3";
  engine.choose({ partition: "none", source: "none", origin: "" });
  game.size = "5x5";
  engine.choose({ partition: undefined, source: [new Uint8Array(4)], origin: "a.pdb" });
  expect(kept).toEqual({ "4x4 single": "5-5-5", "3x3 single": "none" });

  const next = new Engine(game, make, kept);
  expect(next.choice).toBeNull();
  game.size = "3x3";
  expect(next.choice).toMatchObject({ partition: "none", source: "none" });
  game.size = "4x4";
  expect(next.choice).toMatchObject({ partition: "5-5-5", source: "build" });
  // It may take long, so it waits until it is asked for.
  next.prepare();
  expect(made).toHaveLength(0);
});

test("the address of a bundle is kept for the next visit, and left out once it fails", async () => {
  let kept: unknown = null;
  const source = new URL("https://example.org/tables/manifest.json");
  const engine = new Engine(game, make, null, (choices) => (kept = choices));
  engine.choose({ partition: undefined, source, origin: "tables/manifest.json" });

  const next = new Engine(game, () => Promise.reject(new Error("status 404")), kept);
  expect(next.choice).toEqual({ partition: undefined, source, origin: source.href });
  await expect(next.solver()).rejects.toThrow("status 404");
  expect(next.choice).toBeNull();
  expect(new Engine(game, make, kept).choice?.origin).toBe(source.href);
});

test.each([null, 7, "6-6-3", { "4x4 single": 5 }])("anything else kept is ignored: %j", (kept) => {
  expect(new Engine(game, make, kept).choice).toBeNull();
});
