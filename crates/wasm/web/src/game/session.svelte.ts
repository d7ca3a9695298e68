import { load, save } from "../common/store.ts";
import { notices } from "../common/notice.svelte.ts";
import { read, write, type Address } from "./address.ts";
import { game } from "./game.svelte.ts";
import * as rules from "./rules.ts";

/** Milliseconds between a change and its writing: browsers refuse addresses that change quickly. */
const pause = 400;

/** What this page wrote into its address, to know its own changes from the visitor's. */
let written = "";

/** Takes up the game from the address or from the last visit, and keeps it from now on. */
export function start(): void {
  const kept = load("game");
  const address = readAddress();
  if (address) open(address, kept);
  else if (!game.restore(kept)) shuffle();

  addEventListener("hashchange", () => {
    if (location.hash === written) return;
    const changed = readAddress();
    if (changed) open(changed, null);
  });

  let timer: ReturnType<typeof setTimeout> | undefined;
  const write = () => {
    clearTimeout(timer);
    timer = undefined;
    save("game", game.keep());
    writeAddress();
  };
  $effect.root(() => {
    $effect(() => {
      void [game.tiles, game.goal, game.start, game.history, game.position];
      timer ??= setTimeout(write, pause);
    });
  });
  addEventListener("pagehide", write);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) write();
  });
  void loadRules();
}

function readAddress(): Address | null {
  try {
    return read(location.hash);
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error);
    notices.add({ text: `${found} Another board is shown instead.`, kind: "bad" });
    return null;
  }
}

function open(address: Address, kept: unknown): void {
  const { columns, rows } = address;
  const goal = address.goal ?? rules.ordered(columns * rows);
  if (address.tiles && game.restore(kept)) {
    // The same board: a reload, so the game goes on with its moves.
    const isSame =
      game.columns === columns &&
      game.rows === rows &&
      rules.isSame(game.tiles, address.tiles) &&
      rules.isSame(game.goal, goal);
    if (isSame) return;
  }
  game.open(columns, rows, address.tiles ?? goal, goal);
  if (!address.tiles) shuffle();
}

function writeAddress(): void {
  const { columns, rows, tiles, goal } = game;
  written = write({ columns, rows, tiles, goal });
  try {
    if (location.hash !== written) history.replaceState(history.state, "", written);
  } catch {
    // Too many changes at once, or an address that may not change: the next change writes it.
  }
}

/** A new game on a random board: any solvable one, or one after so many random moves. */
export function shuffle(moves?: number): void {
  const { puzzle, size, columns, goal, goalText } = game;
  let tiles: number[] | null = null;
  try {
    const [made] =
      puzzle?.scramble({ size, goal: goalText, number: 1, ...(moves && { moves }) }) ?? [];
    if (made) tiles = made.board.split(/[ /]/).map(Number);
  } catch {
    tiles = null;
  }
  // Until the rules are there: a walk so long that little is left of the order.
  tiles ??= rules.walk(goal, columns, moves ?? goal.length * 30 + 1);
  game.begin(tiles);
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
  } catch {
    notices.add({
      text: "The solver could not be loaded. The board can be played meanwhile.",
      kind: "bad",
      action: { label: "Load again", run: () => void loadRules() },
    });
  }
}
