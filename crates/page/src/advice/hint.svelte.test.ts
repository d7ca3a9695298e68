import { beforeEach, expect, test, vi } from "vitest";
import type { Hint } from "sliding-tile-pdb";
import type { Mark } from "../board/marks.svelte.ts";
import { FakeSolver, settle } from "../tests/solver.ts";

vi.mock("sliding-tile-pdb", () => ({ createSolver: () => Promise.reject(new Error("no")) }));
const { Game } = await import("../game/game.svelte.ts");
const { SolverCache } = await import("../solver/cache.svelte.ts");
const { HintAsker } = await import("./hint.svelte.ts");

const hint: Hint = {
  board: "1 2 3/4 0 6/7 5 8",
  distance: 2,
  bound: 2,
  exact: true,
  moves: [
    { tiles: [5], moves: "U" },
    { tiles: [6], moves: "L" },
  ],
  solution: "UL",
  nodes: 1,
  tables: "8",
};

let game: InstanceType<typeof Game>;
let hints: InstanceType<typeof HintAsker>;
let fake: FakeSolver;
let found: Hint;
let marks: Map<number, Mark>;

beforeEach(() => {
  found = hint;
  game = new Game();
  game.setSize(3, 3);
  game.begin([1, 2, 3, 4, 0, 6, 7, 5, 8]);
  const solvers = new SolverCache(game, (options) => {
    fake = new FakeSolver(options);
    fake.hint_ = found;
    return Promise.resolve(fake.solver);
  });
  marks = new Map();
  hints = new HintAsker(solvers, game, marks);
});

test("an unproved solution is followed without another search", async () => {
  found = { ...hint, exact: false, bound: 0, moves: [hint.moves[0]] };
  hints.showAlways(true);
  await settle();
  fake.asked.at(-1)?.answer({});
  await settle();
  game.play("U", "player");
  hints.follow();
  await settle();
  expect(fake.asked).toHaveLength(1);
  expect(hints.hint).toMatchObject({ distance: 1, bound: 0, solution: "L" });
  expect([...marks]).toEqual([[8, "hint L"]]);
});
