import { describe, expect, test } from "vitest";
import { addressOf, Game, goesOn, type Kept, type Saved, type Way } from "./game.svelte.ts";
import { walk } from "sliding-tile-pdb/board-rules";
import { seeded } from "../tests/solver.ts";
import { read } from "./address.ts";

const random = seeded(7);

function shuffled(columns: number, rows: number): Game {
  const game = new Game();
  game.setSize(columns, rows);
  game.begin(walk(game.goal, columns, 100, random));
  return game;
}

describe.each([
  [3, 3],
  [4, 6],
  [20, 20],
])("%ix%i", (columns, rows) => {
  test("undo, redo, storing and restoring keep the board after any slides", () => {
    const game = shuffled(columns, rows);
    for (let count = 0; count < 200; count++) {
      game.slide(Math.floor(random() * columns * rows));
    }
    const [tiles, moves] = [game.tiles, game.moves];
    expect(game.position).toBe(moves.length);
    const other = new Game();
    expect(other.restore(JSON.parse(JSON.stringify(game.keep())))).toBe(true);
    expect([other.tiles, other.moves]).toEqual([tiles, moves]);
    game.seek(0);
    expect(game.tiles).toEqual(game.start);
    game.seek(Infinity);
    expect(game.tiles).toEqual(tiles);
    expect(game.moves).toBe(moves);
    while (game.position > 0) game.undo();
    expect(game.tiles).toEqual(game.start);
  });

  test("a line that slid together is undone and redone together", () => {
    const game = new Game();
    game.setSize(columns, rows);
    const cells = columns * rows;
    game.slide(cells - columns);
    game.slide(0);
    const moves = game.moves;
    expect(moves.length).toBe(columns - 1 + rows - 1);
    game.undo();
    expect(game.position).toBe(columns - 1);
    game.undo();
    expect(game.position).toBe(0);
    game.redo();
    expect(game.position).toBe(columns - 1);
    game.redo();
    expect(game.moves).toBe(moves);
    // A single move that repeats the first of the undone moves is undone on its own.
    game.undo();
    game.play(game.moves[0] === "R" ? "D" : "R");
    game.undo();
    expect(game.position).toBe(columns - 1);
  });

  test("a line stays together after a reload, and not after single moves", () => {
    const before = new Game();
    before.setSize(columns, rows);
    before.slide(columns * (rows - 1));
    const kept = JSON.parse(JSON.stringify(before.keep())) as Kept;
    const game = new Game();
    game.restore(kept);
    game.undo();
    expect(game.position).toBe(0);
    game.redo();
    expect(game.position).toBe(columns - 1);
    game.undo();
    while (game.position < columns - 1) game.play("R", "player");
    game.undo();
    expect(game.position).toBe(columns - 2);
    // Storage can contain anything.
    const lines = [
      [0, 99],
      [1.5, columns - 1],
      [columns - 1, columns - 1],
    ] as const;
    expect(game.restore({ ...kept, lines })).toBe(true);
    game.undo();
    expect(game.position).toBe(columns - 2);
    for (const lines of [7, "lines", [3], [null]]) {
      expect(game.restore(JSON.parse(JSON.stringify({ ...kept, lines })))).toBe(true);
    }
  });

  test("whole lines are single moves", () => {
    const lines = shuffled(columns, rows);
    const singles = new Game();
    singles.open(columns, rows, lines.tiles, lines.goal);
    const heard: Way[] = [];
    lines.onMove((way) => heard.push(way));
    for (let count = 0; count < 100; count++) {
      lines.slide(Math.floor(random() * columns * rows));
    }
    for (const way of lines.moves) expect(singles.play(way as Way)).toBe(true);
    expect(singles.tiles).toEqual(lines.tiles);
    expect(heard.join("")).toBe(lines.moves);
  });
});

test("another move after undo discards the undone moves, the same move does not", () => {
  const game = new Game();
  game.setSize(3, 3);
  game.play("D");
  game.play("R");
  game.seek(0);
  game.play("D");
  expect(game.history.join("")).toBe("DR");
  game.play("U");
  expect(game.history.join("")).toBe("DU");
  expect(game.isSolved).toBe(true);
});

test("listeners receive undo as the opposite move, after the board has changed", () => {
  const game = new Game();
  game.setSize(3, 3);
  const heard: string[] = [];
  const stop = game.onMove((way) => heard.push(way + game.text));
  game.play("R");
  game.undo();
  stop();
  game.play("R");
  expect(heard).toEqual(["R1 2 3/4 5 6/7 0 8", "L1 2 3/4 5 6/7 8 0"]);
});

test.each([
  null,
  7,
  {},
  { columns: 3, rows: 3, goal: [1], start: [1], history: "", position: 0 },
  { columns: 2, rows: 2, goal: [1, 2, 3, 0], start: [1, 2, 3, 0], history: "UX", position: 1 },
  { columns: 2, rows: 2, goal: [1, 2, 3, 0], start: [1, 2, 3, 0], history: "U", position: 1 },
  { columns: 2e9, rows: 2e9, goal: [], start: [], history: "", position: 0 },
])("a damaged game is not taken up: %j", (kept) => {
  const game = new Game();
  const before = game.keep();
  expect(game.restore(kept)).toBe(false);
  expect(game.keep()).toEqual(before);
});

test("invalid boards and sizes change nothing", () => {
  const game = new Game();
  const before = game.keep();
  game.begin([1, 2, 3]);
  game.setGoal(new Array<number>(16).fill(1));
  game.setSize(1, 30);
  game.open(3, 3, [1], [2]);
  expect(game.slide(15)).toBe(false);
  expect(game.slide(0)).toBe(false);
  expect(game.play("U")).toBe(false);
  expect(game.keep()).toEqual(before);
});

test("the clock runs for the player, not for programs", () => {
  const game = shuffled(4, 4);
  const play = (by: "player" | "program") => {
    const way = (["U", "D", "L", "R"] as Way[]).find((each) => game.play(each, by));
    expect(way).toBeDefined();
  };
  play("player");
  expect(game.clock.isRunning).toBe(true);
  play("program");
  expect(game.clock.isRunning).toBe(false);
  const { elapsed } = game;
  for (let count = 0; count < 100; count++) play("program");
  game.undo();
  expect(game.elapsed).toBe(elapsed);
  play("player");
  expect(game.clock.isRunning).toBe(true);
  game.clock.stop();
});

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
