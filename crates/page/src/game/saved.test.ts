import { expect, test } from "vitest";
import { read } from "./address.ts";
import { addressOf, Game, goesOn, type Saved } from "./game.svelte.ts";

test("moves of a link start a new game, unless the tab had the same address", () => {
  const { saved } = played();
  const tiles = [8, 6, 7, 2, 5, 4, 3, 0, 1];
  const board = { columns: 3, rows: 3, tiles };
  const address = { ...board, moves: "RL" };
  const kept = { ...saved, history: "RL", position: 2, addresses: ["#3x3&moves=RL"] };
  expect(goesOn(kept, board, "#")).toBe(true);
  expect(goesOn(kept, address, "#")).toBe(false);
  expect(goesOn(kept, address, "#3x3&moves=RL")).toBe(true);
});

function played(): { before: string; saved: Saved; after: string } {
  const game = new Game();
  game.open(3, 3, [8, 6, 7, 2, 5, 4, 3, 0, 1], [1, 2, 3, 4, 5, 6, 7, 8, 0]);
  const before = addressOf(game);
  game.play("R");
  game.play("D");
  return { before, saved: { ...game.keep(), addresses: [before] }, after: addressOf(game) };
}

test("a reload continues the game even if its last move is not in the address", () => {
  const { before, saved, after } = played();
  expect(before).not.toBe(after);
  for (const hash of [before, after]) expect(goesOn(saved, read(hash)!, hash)).toBe(true);
});

test("another board, another goal, or only a size is another game", () => {
  const { saved, after } = played();
  const others = [
    "#3x3&board=1,2,3/4,5,6/7,0,8",
    `${after}&goal=0,1,2/3,4,5/6,7,8`,
    "#3x3",
    "#4x4&board=1,2,3,4/5,6,7,8/9,10,11,12/13,14,0,15",
  ];
  for (const hash of others) expect(goesOn(saved, read(hash)!, hash)).toBe(false);
});

test.each([null, {}, "game", { addresses: ["#3x3"] }])(
  "what is no game never goes on: %j",
  (kept) => {
    expect(goesOn(kept, read("#3x3")!, "#3x3")).toBe(false);
  },
);
