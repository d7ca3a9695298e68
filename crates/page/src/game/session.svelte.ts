import type { Puzzle } from "sliding-tile-pdb";
import { load, save } from "../common/browser.ts";
import { announce, type Notice, notices } from "../common/notice.svelte.ts";
import { panel } from "../common/panel.svelte.ts";
import { goalLabel, resized } from "../goal/preset.ts";
import { isDealt, noteDealt } from "../play/records.svelte.ts";
import { pageError } from "../solver/error.ts";
import { text } from "../text/text.svelte.ts";
import { read, type Address } from "./address.ts";
import { addressOf, game, goesOn, type Saved } from "./game.svelte.ts";
import { Past, type Replacement } from "./past.svelte.ts";
import * as rules from "sliding-tile-pdb/board-rules";

/**
 * Milliseconds from a change of the game until the page stores it: browsers reject frequent changes
 * of the address.
 */
const pause = 400;

/**
 * Milliseconds during which a reload may still open the previous address. The browser stores a new
 * address with a delay, which is long on a busy machine.
 */
const late = 30_000;

/** Milliseconds for which a message offers to restore a replaced game; Undo always does. */
const takeBackTime = 8000;

/**
 * The opened link; `null` after the first move or on another board. Until then, the address of the
 * page keeps the link's moves and picture.
 */
let linked: { hash: string; start: readonly number[]; goal: readonly number[] } | null = null;

/** The visible notice that a game was replaced. */
let replacedNotice: Notice | null = null;

const past = new Past(
  game,
  typeof history === "undefined" ? null : history,
  () => addressOf(game),
  () => {
    if (replacedNotice) notices.remove(replacedNotice);
    announce(text.game.restored(game.size, game.position));
  },
);

/**
 * Restores the game of the page's address, or else of the last visit. Later changes of the game are
 * stored. Messages are shown once `language` is loaded; everything large is loaded later.
 */
export function start(language: Promise<void>): void {
  // This tab's own games come first: another tab may have replaced the game that all tabs share.
  const kept = [Past.kept(history), load("game", "tab"), load("game")];
  const address = readAddress();
  if (address instanceof Error) {
    void language.then(() => tellOf(readAddress(), text.game.otherBoard));
  }
  if (address && !(address instanceof Error)) open(address, kept, language);
  else if (!kept.some((each) => game.restore(each))) shuffleTiles();
  game.past = startedPast();

  addEventListener("popstate", () => {
    if (past.arrive()) linked = null;
  });
  addEventListener("hashchange", () => {
    if (past.isHere || location.hash === addressOf(game)) return;
    const address = readAddress();
    if (address instanceof Error) tellOf(address, text.game.boardStays);
    if (!address || address instanceof Error) return writeAddress();
    replaceGame(() => open(address, [], language), { isFollowed: true });
  });

  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLeft = false;
  let replaced: { hash: string; at: number }[] = [];
  const write = () => {
    clearTimeout(timer);
    timer = undefined;
    // `pagehide` has already stored the game, with the address that a reload will use.
    if (isLeft) return;
    // Stores the recently replaced addresses with the game, because a reload may open one of them.
    const now = performance.now();
    const { hash } = location;
    replaced = replaced.filter(({ at }) => now - at < late);
    const addresses = [hash, ...replaced.map((each) => each.hash)];
    const kept = game.keep();
    save("game", { ...kept, addresses } satisfies Saved, "tab");
    // The copy for other tabs contains no addresses. With them, a new tab that opens one of these
    // addresses would show the current board instead of the board of the address.
    save("game", kept);
    if (document.hidden) past.save();
    writeAddress();
    if (location.hash !== hash) replaced.push({ hash, at: now });
  };
  $effect.root(() => {
    $effect(() => {
      void [game.tiles, game.goal, game.start, game.history, game.position];
      timer ??= setTimeout(write, pause);
    });
    $effect(() => {
      if (!game.isSolvable) void language.then(loadRules);
    });
  });
  addEventListener("pagehide", () => {
    write();
    past.save();
    isLeft = true;
  });
  addEventListener("pageshow", () => (isLeft = false));
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) write();
  });
  if (typeof WebAssembly !== "object") {
    void language.then(() => notices.add({ text: text.game.noWasm, kind: "bad" }));
  }
}

/** The parsed address of the page, or an error with a sentence for the visitor. */
function readAddress(): Address | Error | null {
  try {
    return read(location.hash);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function tellOf(problem: Address | Error | null, instead: string): void {
  if (problem instanceof Error) notices.add({ text: `${problem.message} ${instead}`, kind: "bad" });
}

function open(address: Address, kept: readonly unknown[], language: Promise<void>): void {
  const going = kept.find((each) => goesOn(each, address, location.hash));
  const isGoingOn = going !== undefined && game.restore(going);
  if (!isGoingOn) {
    const { columns, rows } = address;
    const goal = address.goal ?? rules.ordered(columns * rows);
    game.open(columns, rows, address.tiles ?? goal, goal);
    if (!address.tiles) shuffleTiles();
  }
  if (address.compare !== undefined) {
    panel.comparison = address.compare;
    panel.open = "laboratory";
  }
  if (address.moves === undefined && address.picture === undefined) return;
  if (game.history.length > 0) return;
  linked = { hash: location.hash, start: game.start, goal: game.goal };
  // The board is shown first; other parts of a link follow.
  const begin = game.start;
  const isUntouched = () => game.start === begin && game.history.length === 0;
  void language
    .then(() => import("./bring.ts"))
    .then(
      async ({ bringMoves, bringPicture }) => {
        if (isUntouched()) void bringPicture(address);
        const puzzle = address.moves === undefined ? null : await loadRules();
        if (puzzle && isUntouched()) bringMoves(puzzle, address);
      },
      () => notices.add({ text: text.game.notLoaded, kind: "bad" }),
    );
}

function writeAddress(): void {
  if (linked) {
    const isUntouched = game.history.length === 0 && game.start === linked.start;
    if (isUntouched && game.goal === linked.goal) return;
    linked = null;
  }
  const written = addressOf(game);
  try {
    if (location.hash !== written) history.replaceState(history.state, "", written);
  } catch {
    // The browser can reject a change of the address, for example after many changes in a short
    // time. The next change of the game writes the address.
  }
}

/**
 * Starts another game by calling `begin`. Undo and Back return to the current game; if it has
 * moves, a notice offers to restore it.
 */
export function replaceGame(begin: () => void, replacement: Replacement = {}): void {
  const moves = game.isSolved ? 0 : game.position;
  if (game.past === null) game.past = startedPast();
  // Writes the address of the current board into the history entry of that board.
  if (!replacement.isFollowed) writeAddress();
  const { id } = past;
  past.replace(() => {
    if (!replacement.isFollowed) linked = null;
    begin();
  }, replacement);
  announce(text.game.newBoard(game.size));
  if (replacedNotice) notices.remove(replacedNotice);
  if (moves === 0) return;
  const notice: Notice = {
    text: text.game.replaced(moves),
    kind: "plain",
    action: { label: text.game.takeBack, run: () => past.goTo(id) },
  };
  replacedNotice = notice;
  notices.add(notice);
  setTimeout(() => notices.remove(notice), takeBackTime);
}

/**
 * Changes the goal. This starts a new game, because earlier moves led to the old goal. If the page
 * drew the board and nothing was moved, a board that cannot reach the new goal is replaced by one
 * that can.
 */
export function changeGoal(goal: number[]): void {
  if (rules.isSame(goal, game.goal)) return;
  const { columns, rows, tiles } = game;
  const wasDealt = game.position === 0 && isDealt(game);
  replaceGame(() => game.open(columns, rows, tiles, goal));
  if (wasDealt && !game.isSolvable) newBoard(columns, rows, goal);
  else if (wasDealt) noteDealt(game);
  announce(goalLabel(goal, columns));
}

function startedPast(): Past {
  past.start();
  return past;
}

/** Starts a game on a random solvable board, or on a board `moves` random moves from the goal. */
export const shuffle = (moves?: number): void =>
  replaceGame(() => shuffleTiles(moves), { isPassing: true });

/** Starts the same board again, from 0:00; Undo returns to the moves. */
export function restart(): void {
  const { start, assisted } = game;
  if (game.position === 0) return game.clock.reset();
  replaceGame(() => game.begin(start), { isPassing: true });
  game.assisted = assisted;
}

/** Starts a game on a random board of another size. */
export const changeSize = (columns: number, rows: number): void =>
  newBoard(columns, rows, resized(game.goal, [game.columns, game.rows], [columns, rows]));

/** Starts a game on a random board with another goal. */
export const newBoard = (columns: number, rows: number, goal: number[]): void =>
  replaceGame(
    () => {
      game.setSize(columns, rows);
      game.setGoal(goal);
      shuffleTiles();
    },
    { isPassing: true },
  );

function shuffleTiles(moves?: number): void {
  const { goal, columns } = game;
  game.begin(moves ? rules.walk(goal, columns, moves) : rules.uniform(goal, columns));
  if (!moves) noteDealt(game);
}

let loading: Promise<Puzzle | null> | null = null;

/**
 * Loads the rules when something needs them: texts, drawings, and the reason why a board cannot be
 * solved. Without them (`null`) the board can be played.
 */
export const loadRules = (): Promise<Puzzle | null> => (loading ??= tryToLoad());

async function tryToLoad(): Promise<Puzzle | null> {
  if (typeof WebAssembly !== "object") return null;
  try {
    const { loadPuzzle } = await import("sliding-tile-pdb");
    return (game.puzzle = await loadPuzzle());
  } catch (error) {
    if (pageError(error).code === "unsupported") {
      notices.add({ text: text.game.noSimd, kind: "bad" });
      return null;
    }
    loading = null;
    const action = { label: text.game.loadAgain, run: () => void loadRules() };
    notices.add({ text: text.game.notLoaded, kind: "bad", action });
    return null;
  }
}
