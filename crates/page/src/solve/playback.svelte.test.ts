import { beforeEach, expect, test, vi } from "vitest";
import type { Metric, Report } from "sliding-tile-pdb";

vi.mock("sliding-tile-pdb", () => ({ createSolver: () => Promise.reject(new Error("no")) }));
const { Game } = await import("../game/game.svelte.ts");
const { Playback, gameKey } = await import("./playback.svelte.ts");
const { settings, speeds } = await import("../common/settings.svelte.ts");
const { solutionOf, wayBack, wordsOf } = await import("./solution.ts");

// The two moves "UL" solve this board.
const board = [1, 2, 3, 4, 0, 6, 7, 5, 8];

let game: InstanceType<typeof Game>;
let playback: InstanceType<typeof Playback>;

function solution(moves: string, metric: Metric = "single", extra: Partial<Report> = {}) {
  const { tiles, columns, moves: prefix } = game;
  const question = { game: gameKey(game), prefix, board: tiles, columns, metric };
  return solutionOf(question, { status: "solved", moves, length: 2, ...extra });
}

beforeEach(() => {
  game = new Game();
  game.setSize(3, 3);
  game.begin(board);
  playback = new Playback(game);
});

test("steps go through the game, forwards and backwards", () => {
  playback.begin(solution("UL"));
  expect(playback.step()).toBe(true);
  expect([playback.move, game.moves]).toEqual([1, "U"]);
  playback.step();
  expect(game.isSolved).toBe(true);
  expect(playback.isAtEnd).toBe(true);
  expect(playback.step()).toBe(false);
  playback.back();
  expect(game.moves).toBe("U");
  playback.seek(0);
  expect(game.tiles).toEqual(board);
  playback.seek(2);
  expect(game.isSolved).toBe(true);
});

test("the player's moves, undo and redo are followed", () => {
  playback.begin(solution("UL"));
  game.play("U", "player");
  expect([playback.follow(), playback.move]).toEqual(["on", 1]);
  game.undo();
  expect([playback.follow(), playback.move]).toEqual(["on", 0]);
  game.redo();
  expect(playback.move).toBe(1);
});

test("other moves leave the solution, undoing them returns to it", () => {
  playback.begin(solution("UL"));
  game.play("R", "player");
  expect(playback.follow()).toBe("off");
  expect(playback.index).toBeNull();
  expect(playback.step()).toBe(false);
  game.undo();
  expect(playback.follow()).toBe("on");
  expect(playback.index).toBe(0);
});

test("a new solution is followed, and the earlier one again after undo", () => {
  playback.begin(solution("UL"));
  game.play("R", "player");
  playback.follow();
  playback.extend(solution("LUL"));
  expect([playback.follow(), playback.index, playback.solution?.letters]).toEqual(["on", 0, "LUL"]);
  playback.step();
  expect(game.moves).toBe("RL");
  game.seek(0);
  expect(playback.follow()).toBe("on");
  expect(playback.solution?.letters).toBe("UL");
});

test("a new game, another goal or another size ends it", () => {
  for (const change of [
    () => game.begin([1, 2, 3, 4, 5, 6, 7, 0, 8]),
    () => game.setGoal([0, 1, 2, 3, 4, 5, 6, 7, 8]),
    () => game.setSize(2, 3),
  ]) {
    playback.begin(solution("UL"));
    change();
    expect(playback.follow()).toBe("over");
    expect(playback.solution).toBeNull();
    game.setSize(3, 3);
    game.begin(board);
  }
});

test("a solution that starts in the middle of a game", () => {
  game.play("R", "player");
  playback.begin(solution("LUL"));
  playback.seek(3);
  expect(game.isSolved).toBe(true);
  playback.seek(0);
  expect(game.moves).toBe("R");
  game.undo();
  expect(playback.follow()).toBe("off");
});

test("runs are single moves of the multi-tile metric", () => {
  game.begin([1, 2, 3, 4, 5, 6, 0, 7, 8]);
  playback.begin(solution("L2", "multi", { length: 1 }));
  expect(playback.labels).toEqual(["7 8←"]);
  expect(playback.next).toEqual({ tiles: [7, 8], moves: "LL" });
  playback.step();
  expect(game.isSolved).toBe(true);
  playback.back();
  expect(game.position).toBe(0);
});

test("playing makes the moves by the clock, and pauses at the end", async () => {
  vi.useFakeTimers();
  settings.speed = "slow";
  playback.begin(solution("UL"));
  playback.play();
  expect(game.moves).toBe("U");
  await vi.advanceTimersByTimeAsync(400);
  expect(game.moves).toBe("U");
  await vi.advanceTimersByTimeAsync(200);
  expect(game.isSolved).toBe(true);
  expect(playback.isPlaying).toBe(false);
  expect(playback.next).toBeNull();
  vi.useRealTimers();
  settings.speed = "normal";
});

test("a slide is no longer than the time between two moves", () => {
  playback.begin(solution("UD".repeat(1000)));
  playback.play();
  expect(settings.slide).toBe(1000 / playback.pace);
  playback.pause();
  expect(settings.slide).toBe(speeds.normal);
});

test("the moves back to a solution that was left", () => {
  const left = solution("UL");
  expect(wayBack(left, "R")).toBe("LUL");
  expect(wayBack(left, "UR")).toBe("LL");
});

test("steps in words", () => {
  expect(wordsOf({ action: "place", tile: 5, row: 1, column: 2, length: 0, moves: "" })).toBe(
    "place tile 5 at row 1 column 2",
  );
});

test("a reload restores the solutions of the game, and no others", () => {
  let stored = "";
  vi.stubGlobal("sessionStorage", { getItem: () => stored, setItem: () => undefined });
  const reloaded = () => {
    const reloaded = new Playback(game);
    reloaded.remember();
    return reloaded;
  };
  playback.begin(solution("UL"));
  game.play("R", "player");
  playback.extend({ ...solution("LUL"), longer: 2 });
  const { first, solution: latest } = playback;
  const chain = (stored = JSON.stringify([first, latest]));
  expect(reloaded().first).toEqual(first);
  expect(reloaded().solution).toEqual(latest);

  for (stored of ["7", "[{}]", chain.replaceAll("UL", "UR")]) {
    expect(reloaded().solution).toBeNull();
  }
  stored = chain;
  game.setGoal([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  expect(reloaded().solution).toBeNull();
  vi.unstubAllGlobals();
});

test("long solutions are played faster", () => {
  playback.begin(solution("UL"));
  expect(playback.pace).toBe(4);
  playback.begin(solution("UD".repeat(600)));
  expect(playback.pace).toBe(10);
});
