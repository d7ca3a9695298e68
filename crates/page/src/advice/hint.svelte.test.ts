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

test("four steps, one per press", async () => {
  await ask();
  expect(hints.sentences).toEqual(["The goal is 2 moves away."]);
  expect(marks.size).toBe(0);
  await hints.press();
  expect(hints.sentences.at(-1)).toBe("Move tile 5.");
  expect([...marks]).toEqual([[5, "hint"]]);
  await hints.press();
  expect(hints.sentences.at(-1)).toBe("Move tile 5 up.");
  await hints.press();
  expect(hints.sentences.at(-1)).toBe("All good moves: tile 5 up; tile 6 left.");
  expect([...marks.keys()]).toEqual([5, 6]);
  expect([...marks.values()].every((mark) => /^hint [UDLR]$/.test(mark))).toBe(true);
  await hints.press();
  expect(hints.level).toBe(4);
});

test("a move resets the hint and its own marks", async () => {
  marks.set(3, "swap");
  await ask();
  await hints.press();
  game.play("R", "player");
  hints.follow();
  expect([hints.level, hints.hint]).toEqual([0, null]);
  expect([...marks.keys()]).toEqual([3]);
});

test("a hint for an older board is dropped", async () => {
  const done = hints.press();
  await settle();
  game.play("R", "player");
  hints.follow();
  fake.asked[0].answer({});
  await done;
  expect([hints.level, hints.hint, hints.isBusy]).toEqual([0, null, false]);
});

test("the good move is made through the game", async () => {
  await ask();
  hints.make();
  expect(game.moves).toBe("U");
});

test("all steps at once, and the move without steps", async () => {
  hints.isWhole = true;
  await ask();
  expect(hints.sentences).toHaveLength(4);
  game.begin([1, 2, 3, 4, 0, 5, 7, 8, 6]);
  hints.follow();
  const made = hints.make();
  await settle();
  fake.asked.at(-1)?.answer({});
  await made;
  expect(game.moves).toBe("U");
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
  expect([fake.asked.length, hints.level, marks.size]).toEqual([2, 3, 1]);
  hints.showAlways(false);
  game.play("L", "player");
  hints.follow();
  await rest();
  expect([fake.asked.length, hints.level]).toEqual([2, 0]);
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
