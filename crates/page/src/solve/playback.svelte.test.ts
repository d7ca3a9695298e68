import { beforeEach, expect, test, vi } from "vitest";
import type { Metric, Report } from "sliding-tile-pdb";

vi.mock("sliding-tile-pdb", () => ({ createSolver: () => Promise.reject(new Error("no")) }));
const { Game } = await import("../game/game.svelte.ts");
const { Playback, gameKey } = await import("./playback.svelte.ts");
const { settings, speeds } = await import("../common/settings.svelte.ts");
const { solutionOf } = await import("./solution.ts");

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

test("long solutions are played faster, and a slide is no longer than a move", () => {
  playback.begin(solution("UL"));
  expect(playback.pace).toBe(4);
  playback.begin(solution("UD".repeat(1000)));
  playback.play();
  expect(settings.slide).toBe(1000 / playback.pace);
  playback.pause();
  expect(settings.slide).toBe(speeds.normal);
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
