import { load, save } from "../common/store.ts";
import { announce } from "../common/announce.svelte.ts";
import { notices } from "../common/notice.svelte.ts";
import { plural } from "../solve/format.ts";
import { pageError } from "../solver/error.ts";
import { read, type Address } from "./address.ts";
import { game } from "./game.svelte.ts";
import * as rules from "./rules.ts";
import { addressOf, goesOn, type Saved } from "./saved.ts";

/** Milliseconds between a change and its writing: browsers refuse addresses that change quickly. */
const pause = 400;

/**
 * Milliseconds for which a reload may still come with an address that was replaced: the browser
 * hears of a new address later than the page writes it, on a busy machine much later.
 */
const late = 30_000;

/** Milliseconds for which a replaced game can be taken back. */
const takeBackTime = 30_000;

/**
 * Takes up the game from the address or from the last visit, and keeps it from now on. The promise
 * is for the rules: nothing large should be loaded before them.
 */
export function start(): Promise<void> {
  // This tab's own game first: another tab may have kept its game since.
  const kept = [load("game", "tab"), load("game")];
  const address = readAddress("Another board is shown instead.");
  if (address) open(address, kept);
  else if (!kept.some((each) => game.restore(each))) shuffleTiles();

  addEventListener("hashchange", () => {
    if (location.hash === addressOf(game)) return;
    const address = readAddress("The board stays as it was.");
    if (address) replaceGame(() => open(address, []));
    else writeAddress();
  });

  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLeft = false;
  let replaced: { hash: string; at: number }[] = [];
  const write = () => {
    clearTimeout(timer);
    timer = undefined;
    // The first writing of a page that goes knows the address that a reload comes with.
    if (isLeft) return;
    // A reload may come with the address from before this writing.
    const now = performance.now();
    const { hash } = location;
    replaced = replaced.filter(({ at }) => now - at < late);
    const addresses = [hash, ...replaced.map((each) => each.hash)];
    const kept = game.keep();
    save("game", { ...kept, addresses } satisfies Saved, "tab");
    // Another tab that has one of these addresses was not loaded anew: it is asked for that board.
    save("game", kept);
    writeAddress();
    if (location.hash !== hash) replaced.push({ hash, at: now });
  };
  $effect.root(() => {
    $effect(() => {
      void [game.tiles, game.goal, game.start, game.history, game.position];
      timer ??= setTimeout(write, pause);
    });
  });
  addEventListener("pagehide", () => {
    write();
    isLeft = true;
  });
  addEventListener("pageshow", () => (isLeft = false));
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) write();
  });
  return loadRules();
}

function readAddress(instead: string): Address | null {
  try {
    return read(location.hash);
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error);
    notices.add({ text: `${found} ${instead}`, kind: "bad" });
    return null;
  }
}

function open(address: Address, kept: readonly unknown[]): void {
  const going = kept.find((each) => goesOn(each, address, location.hash));
  if (going && game.restore(going)) return;
  const { columns, rows } = address;
  const goal = address.goal ?? rules.ordered(columns * rows);
  game.open(columns, rows, address.tiles ?? goal, goal);
  if (!address.tiles) shuffleTiles();
}

function writeAddress(): void {
  const written = addressOf(game);
  try {
    if (location.hash !== written) history.replaceState(history.state, "", written);
  } catch {
    // Too many changes at once, or an address that may not change: the next change writes it.
  }
}

/** Begins another game by `begin`. A notice restores the present one, if it has moves to lose. */
export function replaceGame(begin: () => void): void {
  const before = game.position > 0 && !game.isSolved ? game.keep() : null;
  begin();
  announce(`New ${game.size} board`);
  if (before === null) return;
  const text = `Your game of ${plural(before.position, "move")} was replaced.`;
  const run = () => void game.restore(before);
  notices.flash(text, { label: "Take it back", run }, takeBackTime);
}

/** A new game on a random board: any solvable one, or one `moves` random moves from the goal. */
export const shuffle = (moves?: number): void => replaceGame(() => shuffleTiles(moves));

/** A new game on a random board of another size. */
export const changeSize = (columns: number, rows: number): void =>
  replaceGame(() => {
    game.setSize(columns, rows);
    shuffleTiles();
  });

function shuffleTiles(moves?: number): void {
  const { goal, columns } = game;
  game.begin(moves ? rules.walk(goal, columns, moves) : rules.uniform(goal, columns));
}

/** Loads the rules; without them the board is played, but not judged. */
export async function loadRules(): Promise<void> {
  if (typeof WebAssembly !== "object") {
    const text =
      "This browser has no WebAssembly, which solving needs. The board can be played. " +
      "Another browser, or another security setting, has it.";
    notices.add({ text, kind: "bad" });
    return;
  }
  try {
    const { loadPuzzle } = await import("sliding-tile-pdb");
    game.puzzle = await loadPuzzle();
  } catch (error) {
    if (pageError(error).code === "unsupported") {
      const text =
        "This browser has no WebAssembly with SIMD, which the solver needs: use a browser of " +
        "2023 or later. The board can be played.";
      notices.add({ text, kind: "bad" });
      return;
    }
    notices.add({
      text: "The solver could not be loaded. The board can be played meanwhile.",
      kind: "bad",
      action: { label: "Load again", run: () => void loadRules() },
    });
  }
}
