import { beforeEach, expect, test, vi } from "vitest";
import type { Hint } from "sliding-tile-pdb";
import type { Mark } from "../board/marks.svelte.ts";
import { FakeSolver, settle } from "../solver/fake.ts";

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

async function ask(): Promise<void> {
  const done = hints.press();
  await settle();
  fake.asked.at(-1)?.answer({});
  await done;
}

test("one press marks the tile with its direction, and says how many moves are left", async () => {
  await ask();
  expect(hints.words).toBe("Tile 5 up; 2 moves left.");
  expect([...marks]).toEqual([[5, "hint U"]]);
  await ask();
  expect(fake.asked).toHaveLength(1);
});

test("a distance that is not proved is the most", async () => {
  found = { ...hint, exact: false, bound: 1 };
  await ask();
  expect(hints.words).toBe("Tile 5 up; at most 2 moves left.");
});

test("a move resets the hint and its own marks", async () => {
  marks.set(3, "swap");
  await ask();
  game.play("R", "player");
  hints.follow();
  expect(hints.hint).toBeNull();
  expect([...marks.keys()]).toEqual([3]);
});

test("a hint for an older board is dropped", async () => {
  const done = hints.press();
  await settle();
  game.play("R", "player");
  hints.follow();
  fake.asked[0].answer({});
  await done;
  expect([hints.hint, hints.isBusy]).toEqual([null, false]);
});

test("a hint is help", async () => {
  expect(game.assisted).toBe(false);
  await ask();
  expect(game.assisted).toBe(true);
});

/** Waits until the board is at rest, and answers the request that follows. */
async function rest(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 160));
  fake.asked.at(-1)?.answer({});
  await settle();
}

test("the next move is always shown, after every move, until that is switched off", async () => {
  hints.showAlways(true);
  await settle();
  fake.asked.at(-1)?.answer({});
  await settle();
  expect([...marks]).toEqual([[5, "hint U"]]);
  game.play("R", "player");
  hints.follow();
  expect(marks.size).toBe(0);
  await rest();
  expect([fake.asked.length, marks.size]).toEqual([2, 1]);
  hints.showAlways(false);
  game.play("L", "player");
  hints.follow();
  await rest();
  expect([fake.asked.length, marks.size]).toEqual([2, 0]);
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
