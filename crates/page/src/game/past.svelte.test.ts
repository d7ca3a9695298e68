import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Game } from "./game.svelte.ts";
import { type Browser, Past } from "./past.svelte.ts";
import { back, ordered, walk, ways } from "sliding-tile-pdb/board-rules";
import { seeded } from "../tests/solver.ts";
import { Clock, clockText } from "./clock.svelte.ts";

/** A fake browser history whose navigation is immediate. */
class FakeBrowser implements Browser {
  entries: unknown[] = [null];
  at = 0;
  onArrive: () => void = () => undefined;
  get state(): unknown {
    return this.entries[this.at];
  }
  pushState(state: unknown): void {
    this.entries = [...this.entries.slice(0, this.at + 1), state];
    this.at++;
  }
  replaceState(state: unknown): void {
    this.entries[this.at] = state;
  }
  go(delta = 0): void {
    this.at += delta;
    this.onArrive();
  }
}

const random = seeded(11);
let game: Game;
let browser: FakeBrowser;
let past: Past;

const another = () => game.open(3, 3, walk(ordered(9), 3, 60, random), ordered(9));

/** Plays legal moves; none undoes the previous move. */
function play(moves: number): void {
  for (let made = 0; made < moves; made++) {
    const last = game.history[game.position - 1];
    const open = ways(game.tiles, 3).filter((way) => way !== back[last]);
    game.play(open[0], "player");
  }
  game.clock.stop();
}

beforeEach(() => {
  game = new Game();
  browser = new FakeBrowser();
  past = new Past(game, browser, () => "#");
  browser.onArrive = () => void past.arrive();
  another();
  game.past = past;
  past.start();
});

test("undo first undoes moves; another move prevents redo into later games", () => {
  play(2);
  past.replace(another);
  play(1);
  game.undo();
  expect(game.position).toBe(0);
  game.undo();
  expect(game.position).toBe(2);
  expect(game.canRedo).toBe(true);
  play(1);
  expect(game.canRedo).toBe(false);
});

test("shuffles without moves between them share one entry, and undo knows each", () => {
  const shuffle = () => past.replace(another, { isPassing: true });
  play(1);
  const boards = [game.text];
  for (let time = 0; time < 4; time++) {
    shuffle();
    boards.push(game.text);
  }
  expect(browser.entries).toHaveLength(2);
  for (const board of boards.slice(0, -1).reverse()) {
    game.undo();
    expect(game.text).toBe(board);
  }
  expect(browser.at).toBe(0);
  expect(past.canUndo).toBe(false);
  // A game with moves gets its own entry.
  shuffle();
  play(1);
  shuffle();
  expect(browser.entries).toHaveLength(3);
});

test("a notice can go back several entries", () => {
  play(2);
  const { id } = past;
  const before = game.keep();
  for (let time = 0; time < 3; time++) {
    past.replace(another);
    play(1);
  }
  past.goTo(id);
  expect(game.keep()).toEqual(before);
  expect(browser.at).toBe(0);
});

test("the oldest games are deleted, and their entries are unknown", () => {
  const first = game.keep();
  for (let time = 0; time < 20; time++) {
    play(1);
    past.replace(another);
  }
  let steps = 0;
  while (past.canUndo && steps++ < 50) {
    game.seek(0);
    game.undo();
  }
  expect(game.keep()).not.toEqual(first);
  expect(browser.at).toBeGreaterThan(0);
  browser.at = 0;
  expect(past.arrive()).toBe(false);
});

test("undo works if the browser accepts no more entries", () => {
  browser.pushState = () => {
    throw new Error("too many");
  };
  play(2);
  const before = game.keep();
  past.replace(another);
  game.undo();
  expect(game.keep()).toEqual(before);
});

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
  vi.stubGlobal("document", { hidden: false, addEventListener: () => undefined });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("times with hundredths and thousandths, never rounded up", () => {
  expect(clockText(7_129.9)).toBe("0:07");
  expect(clockText(7_129.9, 2)).toBe("0:07.12");
  expect(clockText(7_009.9, 3)).toBe("0:07.009");
  expect(clockText(59_999.9, 3)).toBe("0:59.999");
  expect(clockText(3_723_004, 3)).toBe("1:02:03.004");
});

test("the time is exact whenever it is read, and adds up over stops", () => {
  const clock = new Clock();
  clock.run();
  vi.advanceTimersByTime(123);
  expect(clock.elapsed).toBe(123);
  clock.stop();
  vi.advanceTimersByTime(1000);
  clock.run();
  vi.advanceTimersByTime(7);
  expect(clock.elapsed).toBe(130);
  clock.reset();
  expect([clock.elapsed, clock.isRunning]).toEqual([0, false]);
});

test("a move, a stop or a new game ends the inspection", () => {
  const clock = new Clock();
  clock.inspect(15_000);
  vi.advanceTimersByTime(5000);
  clock.run();
  vi.advanceTimersByTime(20_000);
  expect([clock.isInspecting, clock.elapsed]).toEqual([false, 20_000]);
  clock.reset();
  clock.inspect(15_000);
  clock.reset();
  vi.advanceTimersByTime(20_000);
  expect([clock.isRunning, clock.elapsed]).toEqual([false, 0]);
});
