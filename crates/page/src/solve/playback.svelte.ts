/**
 * Playback of a solution on the board. All moves go through the game, and the position of the
 * playback follows from the game's moves, so undo, redo and the player's moves need no special
 * handling.
 */
import { settings, type Speed } from "../common/settings.svelte.ts";
import { load, save } from "../common/browser.ts";
import { game, type Game, type Way } from "../game/game.svelte.ts";
import { isSame } from "sliding-tile-pdb/board-rules";
import { arrowLabels, boardAfter, tilesOf } from "./moves.ts";
import { type Solution, indexIn, solutionOf } from "./solution.ts";
import type { Notation } from "sliding-tile-pdb";

/** The part of the game that the playback uses. */
export type PlayedGame = Pick<
  Game,
  "start" | "goal" | "tiles" | "columns" | "moves" | "isSolved" | "play" | "seek"
>;

/** Key of the game: games with the same key have the same boards after the same moves. */
export function gameKey(game: Pick<PlayedGame, "start" | "goal" | "columns">): string {
  return `${game.columns}|${game.start.join(" ")}|${game.goal.join(" ")}`;
}

/** Moves per second, by the speed at which tiles slide. */
const PACES: Readonly<Record<Speed, number>> = { slow: 2, normal: 4, fast: 8, instant: 16 };

/** Maximum seconds of a playback: long solutions are faster. */
const LONGEST = 120;

/** After a tab was suspended, its playback makes up for at most this time, in seconds. */
const MOST_CAUGHT_UP = 0.25;

/** Minimum milliseconds between two changes of the board; most screens show no faster changes. */
const LEAST_WAIT = 16;

export class Playback {
  notation = $state<Notation>("tile");
  isPlaying = $state(false);
  /**
   * Solutions found in this game. Each solution starts at a board where the player left the
   * previous solution.
   */
  #chain = $state.raw<readonly Solution[]>([]);
  #game: PlayedGame;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(game: PlayedGame) {
    this.#game = game;
  }

  /** Restores the solutions of this tab after a reload, and stores them from now on. */
  remember(): void {
    const { start, goal, columns } = this.#game;
    const isOfGame = ({ game, prefix, letters, entered }: Solution) =>
      game === gameKey(this.#game) &&
      (entered?.solves === false || isSame(boardAfter(start, columns, prefix + letters), goal));
    try {
      const kept = load("solutions", "tab") as Solution[];
      const chain = kept.map((each) => solutionOf(each, each.report));
      if (chain.every(isOfGame)) this.#chain = chain;
    } catch {
      // Missing or invalid data is ignored.
    }
    $effect.root(() => {
      $effect(() => save("solutions", this.#chain, "tab"));
    });
  }

  /** The latest solution, even if the game has left it. */
  readonly solution = $derived(this.#chain.at(-1) ?? null);
  /** Moves per second. */
  get pace(): number {
    return Math.max(PACES[settings.speed], (this.solution?.ends.length ?? 0) / LONGEST);
  }
  /**
   * Number of the solution's single moves that the game has made; `null` if the game is not on the
   * path of the solution.
   */
  readonly index = $derived.by(() => {
    const { solution } = this;
    return solution && indexIn(solution, gameKey(this.#game), this.#game.moves);
  });
  /**
   * Number of the solution's moves that the game has made. A run counts once all its single moves
   * are made.
   */
  readonly move = $derived.by(() => {
    const { solution, index } = this;
    if (!solution || index === null) return 0;
    const next = solution.ends.findIndex((end) => end > index);
    return next < 0 ? solution.ends.length : next;
  });
  /** The moves as tiles and arrows. */
  readonly labels = $derived(this.solution ? arrowLabels(this.solution) : []);
  /** The tiles of the next move, and their direction; `null` at the end or off the path. */
  readonly next = $derived.by((): { tiles: number[]; moves: string } | null => {
    const { solution, index, move } = this;
    if (!solution || index === null || move >= solution.ends.length) return null;
    const moves = solution.letters.slice(index, solution.ends[move]);
    return { tiles: tilesOf(this.#game.tiles, solution.columns, moves), moves };
  });
  readonly isAtEnd = $derived(this.index !== null && this.index === this.solution?.letters.length);

  /** The first solution, with which later solutions are compared. */
  get first(): Solution | null {
    return this.#chain[0] ?? null;
  }

  /** Replaces all solutions by `solution`. */
  begin(solution: Solution): void {
    this.pause();
    this.#chain = [solution];
  }

  /** Adds a solution that starts where the player left the previous solution. */
  extend(solution: Solution): void {
    this.#chain = [...this.#chain, solution];
  }

  /** Replaces the latest solution by a better solution of the same board. */
  improve(solution: Solution): void {
    this.#chain = [...this.#chain.slice(0, -1), solution];
  }

  clear(): void {
    this.pause();
    if (this.#chain.length > 0) this.#chain = [];
  }

  /**
   * Finds the latest solution whose path contains the current board, and drops the solutions after
   * it. `"on"`: such a solution was found; `"off"`: the board is on no solution's path; `"over"`:
   * the game has changed, or there is no solution.
   */
  follow(): "on" | "off" | "over" {
    const chain = this.#chain;
    const key = gameKey(this.#game);
    if (chain.length === 0) return "over";
    if (chain[0].game !== key) {
      this.clear();
      return "over";
    }
    const { moves } = this.#game;
    for (let length = chain.length; length > 0; length--) {
      if (indexIn(chain[length - 1], key, moves) === null) continue;
      if (length < chain.length) this.#chain = chain.slice(0, length);
      return "on";
    }
    this.pause();
    return "off";
  }

  step(): boolean {
    const { solution, move } = this;
    if (!solution || this.index === null || move >= solution.ends.length) return false;
    this.#go(solution.ends[move]);
    return true;
  }

  back(): boolean {
    const { solution, index } = this;
    if (!solution || !index) return false;
    const end = solution.ends.findLast((each) => each < index);
    this.#go(end ?? 0);
    return true;
  }

  /** Shows the position after a number of moves of the solution. */
  seek(move: number): void {
    const { solution } = this;
    if (!solution || this.index === null) return;
    const to = Math.max(0, Math.min(solution.ends.length, Math.round(move)));
    this.#go(to === 0 ? 0 : solution.ends[to - 1]);
  }

  /** Shows the position after a number of single moves of the solution. */
  seekSingle(index: number): void {
    if (this.index !== null) this.#go(index);
  }

  /** Starts the playback, from the first move if the solution is already at its end. */
  play(): void {
    if (this.isPlaying || this.index === null) return;
    if (this.isAtEnd) this.seek(0);
    this.isPlaying = true;
    this.#tick(performance.now(), true);
  }

  pause(): void {
    clearTimeout(this.#timer);
    this.isPlaying = false;
    settings.interval = Infinity;
  }

  toggle(): void {
    if (this.isPlaying) this.pause();
    else this.play();
  }

  /**
   * Makes the moves that are due by the clock, then waits for the next move. Inexact timers do not
   * change the speed.
   */
  #tick(since: number, isFirst = false): void {
    settings.interval = 1000 / this.pace;
    const now = performance.now();
    const seconds = Math.min((now - since) / 1000, MOST_CAUGHT_UP + 1 / this.pace);
    const due = isFirst ? 1 : Math.floor(seconds * this.pace + 0.05);
    if (due > 0) this.seek(this.move + due);
    if (this.isAtEnd || this.index === null) {
      this.pause();
      return;
    }
    const from = due > 0 ? now : since;
    const wait = Math.max(LEAST_WAIT, 1000 / this.pace - (performance.now() - from));
    this.#timer = setTimeout(() => this.#tick(from), wait);
  }

  #go(index: number): void {
    const { solution } = this;
    if (!solution || this.index === null) return;
    // One call plays several moves, so that the board changes only once.
    if (index > this.index) {
      this.#game.play([...solution.letters.slice(this.index, index)] as Way[]);
    } else this.#game.seek(solution.prefix.length + index);
  }
}

export const playback = new Playback(game);
playback.remember();
