/** The rating of the player's game, move by move. */
import { untrack } from "svelte";
import type { RatedMove, Rating } from "sliding-tile-pdb";
import { announce } from "../common/notice.svelte.ts";
import { isProvable } from "../solver/choice.ts";
import { solvers, type SolverCache } from "../solver/cache.svelte.ts";
import { pageError, isCancelled } from "../solver/error.ts";
import { Task } from "../solver/task.svelte.ts";
import { game, type Game } from "../game/game.svelte.ts";
import { groupsOf, lettersOf } from "../solve/moves.ts";
import { boardText } from "sliding-tile-pdb/board-rules";
import { text } from "../text/text.svelte.ts";
import { movesText } from "../common/format.ts";

type RatedGame = Pick<
  Game,
  "start" | "columns" | "goalText" | "size" | "moves" | "isSolved" | "assisted" | "seek"
>;

/** A rated move, with its place in the game. */
export interface Judged {
  /** Number of the move, from 1. */
  number: number;
  move: RatedMove;
  /** The game's position before the move, in single moves. */
  before: number;
  /** Whether the distances before and after the move are proved, so that the loss is known. */
  isKnown: boolean;
}

const SMALL_TIME = 30_000;
const LARGE_TIME = 8_000;

export class GameRating {
  rating = $state.raw<Rating | null>(null);
  failure = $state<string | null>(null);
  /** Number of nodes that the running rating has searched so far. */
  nodes = $state(0);

  #solvers: SolverCache;
  #game: RatedGame;
  #task = new Task();
  /** Value of `#key()` at the last request. */
  #asked = "";
  /** The rated moves. */
  #moves = "";

  constructor(solvers: SolverCache, game: RatedGame) {
    this.#solvers = solvers;
    this.#game = game;
  }

  get isBusy(): boolean {
    return this.#task.busy;
  }

  readonly judged = $derived(this.rating ? judgedOf(this.rating) : []);
  /** Moves with a proved loss. */
  readonly losses = $derived(this.judged.filter(({ move, isKnown }) => isKnown && move.lost > 0));

  /** Whether the game has moves that are not rated yet. */
  get isOld(): boolean {
    return this.rating !== null && !this.#moves.startsWith(this.#game.moves);
  }

  async judge(): Promise<void> {
    const { moves, start, columns, size } = this.#game;
    if (moves === "") return;
    this.#asked = this.#key();
    this.failure = null;
    this.nodes = 0;
    const maxTime = isProvable(size, this.#solvers.metric) ? SMALL_TIME : LARGE_TIME;
    const written = this.#solvers.metric === "multi" ? groupsOf(moves) : moves;
    try {
      const rating = await this.#task.run(async (signal) => {
        const solver = await this.#solvers.solver();
        signal.throwIfAborted();
        return solver.rate(boardText(start, columns), written, {
          signal,
          maxTime,
          onProgress: (progress) => {
            if (!signal.aborted) this.nodes = progress.nodes;
          },
        });
      });
      if (rating === undefined || this.#key() !== this.#asked) return;
      this.#moves = moves;
      this.rating = rating;
      // A rating names better moves, so it counts as help.
      if (!this.#game.isSolved) this.#game.assisted = true;
      announce(summaryOf(rating));
    } catch (error) {
      if (isCancelled(error)) return;
      this.failure = pageError(error).text;
      announce(this.failure);
    }
  }

  cancel(): void {
    this.#task.drop();
  }

  /** Shows the board before a move. */
  jump({ before }: Judged): void {
    this.#game.seek(before);
  }

  /**
   * Call after every change of the game. Discards the rating if the start, the goal or the metric
   * has changed. A change of the moves keeps the rating, because Undo or Redo can restore the rated
   * moves.
   */
  follow(): void {
    if (this.rating === null && !this.isBusy && this.failure === null) return;
    if (this.#key() === this.#asked) return;
    this.#task.drop();
    this.rating = null;
    this.failure = null;
  }

  #key(): string {
    const { start, goalText, columns } = this.#game;
    return `${columns}|${start.join(" ")}|${goalText}|${this.#solvers.metric}`;
  }
}

const isProved = ({ bound, distance }: Pick<Rating, "bound" | "distance">): boolean =>
  bound === distance;

export function judgedOf(rating: Rating): Judged[] {
  let before = 0;
  return rating.steps.map((move, index) => {
    const isKnown = isProved(move) && isProved(index === 0 ? rating : rating.steps[index - 1]);
    const judged = { number: index + 1, move, before, isKnown };
    before += lettersOf(move.moves).length;
    return judged;
  });
}

/** Describes a rating in two sentences. Counts only moves whose loss is proved. */
export function summaryOf(rating: Rating): string {
  const { length, exact } = rating;
  const known = judgedOf(rating).filter(({ isKnown }) => isKnown);
  if (known.length === 0) {
    const rows = rating.board.split("/");
    const size = `${rows[0].split(" ").length}x${rows.length}`;
    const shortest = movesText(rating.distance);
    return isProvable(size, "single")
      ? text.advice.unproved(shortest)
      : text.advice.unknown(size, shortest);
  }
  const kept = known.filter(({ move }) => move.kept).length;
  const lost = known.reduce((sum, { move }) => sum + move.lost, 0);
  const moves = movesText(length);
  if (!exact) return text.advice.partly(known.length, moves, kept, movesText(lost));
  if (lost === 0) return text.advice.allOptimal(moves);
  return text.advice.kept(kept, moves, movesText(lost));
}

export const gameRating = new GameRating(solvers, game);

/** Observes the game from now on. */
export function followForRating(): () => void {
  return $effect.root(() => {
    $effect(() => {
      void [game.start, game.goalText, solvers.metric];
      untrack(() => gameRating.follow());
    });
  });
}
