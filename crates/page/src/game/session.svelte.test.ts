import { beforeEach, expect, test, vi } from "vitest";

vi.mock("sliding-tile-pdb", () => ({ loadPuzzle: () => Promise.reject(new Error("no")) }));
const { announcer, notices } = await import("../common/notice.svelte.ts");
const { game } = await import("./game.svelte.ts");
const { changeSize, replaceGame, shuffle } = await import("./session.svelte.ts");

beforeEach(() => (notices.list = []));

test.each([
  ["shuffle", () => shuffle()],
  ["shuffle by moves", () => shuffle(30)],
  ["another size", () => changeSize(3, 5)],
  ["a board as text", () => replaceGame(() => game.open(2, 2, [3, 1, 2, 0], [1, 2, 3, 0]))],
])("a game that is replaced can be taken back: %s", (_, replace) => {
  game.open(4, 4, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0], game.goal);
  game.slide(12);
  game.play("D", "player");
  game.undo();
  game.clock.stop();
  const before = game.keep();
  replace();
  expect(game.position).toBe(0);
  expect(announcer.text.trim()).toBe(`New ${game.size} board`);
  expect(notices.list.map(({ text }) => text)).toEqual(["Your game of 3 moves was replaced."]);
  notices.list[0].action?.run();
  expect(game.keep()).toEqual(before);
});

test("a game without moves, or solved, is replaced without a notice", () => {
  game.begin(game.goal);
  shuffle();
  game.open(2, 2, [1, 2, 0, 3], [1, 2, 3, 0]);
  game.play("L", "player");
  expect(game.isSolved).toBe(true);
  shuffle();
  expect(notices.list).toEqual([]);
});
