/**
 * The games of this tab, in order. When a new game starts, the previous game is stored. Undo at the
 * start of a game returns to the previous game, and so does the browser's Back, since games are
 * entries of the browser's history. The state of a history entry contains the number of the game;
 * the address of the entry alone would restore the board without the moves.
 */
import { load, save } from "../common/browser.ts";
import type { Game, Kept, Way } from "./game.svelte.ts";

/** Maximum number of stored games. A long game has tens of thousands of moves. */
const MOST = 12;

/** Milliseconds to wait for the browser to go back. */
const BACK_TIMEOUT = 500;

interface PastGame {
  id: number;
  kept: Kept;
  /**
   * Whether the game has its own entry in the browser's history. Otherwise it shares the entry of
   * the previous game.
   */
  isEntry: boolean;
}

/** The part of `window.history` that is used here. */
export type Browser = Pick<History, "state" | "pushState" | "replaceState" | "go">;

/** Options for replacing the current game. */
export interface Replacement {
  /** The browser has already created an entry, since a link was followed. */
  isFollowed?: boolean;
  /**
   * The new board is random or is being arranged by hand. If the next game starts before the first
   * move on this board, it takes over the browser's entry of this game.
   */
  isPassing?: boolean;
}

export class Past {
  #games = $state.raw<readonly PastGame[]>([]);
  #index = $state(0);
  /**
   * History of the current game when it was restored; `null` if it was not restored. Redo leads to
   * the next game only while this history is unchanged.
   */
  #restored = $state.raw<readonly Way[] | null>(null);
  #game: Game;
  #browser: Browser | null;
  #address: () => string;
  #onRestore: () => void;
  #isPassing = false;
  /** The game to which the browser is navigating. */
  #target: number | null = null;

  /** `address` returns the current game's address; `onRestore` is called after restoring a game. */
  constructor(game: Game, browser: Browser | null, address: () => string, onRestore = () => {}) {
    this.#game = game;
    this.#browser = browser;
    this.#address = address;
    this.#onRestore = onRestore;
  }

  /** The number of the current game. */
  get id(): number {
    return this.#games[this.#index].id;
  }

  /** Whether the browser's current history entry belongs to the current game. */
  get isHere(): boolean {
    return idOf(this.#browser?.state) === this.id;
  }

  get canUndo(): boolean {
    return this.#index > 0;
  }

  get canRedo(): boolean {
    return this.#index < this.#games.length - 1 && this.#game.history === this.#restored;
  }

  /** The stored state of the game whose number is in the browser's current history entry. */
  static kept(browser: Browser): unknown {
    return gamesOf(load("games", "tab")).find(({ id }) => id === idOf(browser.state))?.kept;
  }

  /** Restores the games of this tab; the current game is already on the board. */
  start(): void {
    const games = gamesOf(load("games", "tab"));
    const index = games.findIndex(({ id }) => id === idOf(this.#browser?.state));
    const kept = this.#game.keep();
    if (index >= 0) {
      this.#games = games.map((each, at) => (at === index ? { ...each, kept } : each));
      this.#index = index;
      return;
    }
    this.#games = [{ id: freshId(games), kept, isEntry: true }];
    this.#index = 0;
    this.#mark();
  }

  /** Starts another game by calling `begin`. The current game can be restored later. */
  replace(begin: () => void, { isFollowed = false, isPassing = false }: Replacement = {}): void {
    this.#store();
    const isShared = !isFollowed && this.#isPassing && this.#game.history.length === 0;
    begin();
    const before = this.#games.slice(0, this.#index + 1);
    const id = freshId(this.#games);
    let isEntry = !isShared;
    if (isFollowed || isShared) this.#mark(id);
    else isEntry = this.#push(id);
    this.#games = [...before, { id, kept: this.#game.keep(), isEntry }].slice(-MOST);
    this.#index = this.#games.length - 1;
    this.#isPassing = isPassing;
    this.#restored = null;
    this.save();
  }

  undo(): void {
    if (this.canUndo) this.#go(this.#index - 1);
  }

  redo(): void {
    if (this.canRedo) this.#go(this.#index + 1);
  }

  /** Returns to the game with a number, if that game is stored. */
  goTo(id: number): void {
    const index = this.#games.findIndex((each) => each.id === id);
    if (index >= 0 && index !== this.#index) this.#go(index);
  }

  /**
   * Handles the browser's navigation by restoring the game of the new history entry. Returns
   * `false` if that entry belongs to no game of this tab.
   */
  arrive(): boolean {
    const id = this.#target ?? idOf(this.#browser?.state);
    const isAimed = this.#target !== null;
    this.#target = null;
    const index = this.#games.findIndex((each) => each.id === id);
    if (index < 0) return false;
    if (index !== this.#index) this.#restore(index);
    if (isAimed) this.#mark();
    return true;
  }

  /** Stores the games for a reload of this tab. */
  save(): void {
    this.#store();
    save("games", this.#games, "tab");
  }

  #store(): void {
    const kept = this.#game.keep();
    this.#games = this.#games.map((each, at) => (at === this.#index ? { ...each, kept } : each));
  }

  #go(index: number): void {
    const [from, to] = [Math.min(index, this.#index), Math.max(index, this.#index)];
    const steps = this.#games.slice(from + 1, to + 1).filter(({ isEntry }) => isEntry).length;
    if (!this.#browser || steps === 0) {
      this.#restore(index);
      this.#mark();
      return;
    }
    const { id } = this.#games[index];
    this.#target = id;
    this.#browser.go(index < this.#index ? -steps : steps);
    setTimeout(() => {
      if (this.#target !== id) return;
      // The browser did not navigate; the game is shown anyway.
      this.#target = null;
      const at = this.#games.findIndex((each) => each.id === id);
      if (at < 0) return;
      this.#restore(at);
      this.#mark();
    }, BACK_TIMEOUT);
  }

  #restore(index: number): void {
    this.#store();
    this.#index = index;
    this.#game.restore(this.#games[index].kept);
    this.#restored = this.#game.history;
    this.#isPassing = false;
    this.save();
    this.#onRestore();
  }

  /** Writes the number of a game into the current entry of the browser's history. */
  #mark(id = this.id): void {
    try {
      this.#browser?.replaceState({ ...this.#state(), game: id }, "");
    } catch {
      // The browser rejects many changes in a short time; the next change writes the number.
    }
  }

  #push(id: number): boolean {
    try {
      this.#browser?.pushState({ ...this.#state(), game: id }, "", this.#address());
      return true;
    } catch {
      return false;
    }
  }

  #state(): object {
    const state: unknown = this.#browser?.state;
    return typeof state === "object" && state !== null ? state : {};
  }
}

function idOf(state: unknown): number | null {
  const id = typeof state === "object" && state !== null && "game" in state ? state.game : null;
  return typeof id === "number" ? id : null;
}

/** A new number for a game. Old numbers stay in the browser's history, so none is used again. */
const freshId = (games: readonly PastGame[]): number =>
  Math.max(Date.now(), ...games.map(({ id }) => id + 1));

/** Checks the form of the stored value. Boards are checked when they are restored. */
function gamesOf(kept: unknown): PastGame[] {
  if (!Array.isArray(kept)) return [];
  return kept.filter(
    (each: Partial<PastGame> | null) =>
      typeof each?.id === "number" && typeof each.kept === "object" && each.kept !== null,
  ) as PastGame[];
}
