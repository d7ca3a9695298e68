/** The player's game, judged move by move. */
import { untrack } from "svelte";
import type { RatedMove, Rating } from "sliding-tile-pdb";
import { announce } from "../common/announce.svelte.ts";
import { isProvable } from "../solver/choice.ts";
import { solvers, type SolverCache } from "../solver/cache.svelte.ts";
import { pageError, isCancelled } from "../solver/error.ts";
import { Task } from "../solver/task.svelte.ts";
import { game } from "../game/game.svelte.ts";
import { groupsOf, lettersOf } from "../solve/moves.ts";
import { plural } from "../solve/format.ts";
import { boardText } from "../game/rules.ts";

interface RatedGame {
  readonly start: readonly number[];
  readonly columns: number;
  readonly goalText: string;
  readonly size: string;
  readonly moves: string;
  seek(position: number): void;
}

/** A move of the game, with where it lies. */
export interface Judged {
  /** From 1. */
  number: number;
  move: RatedMove;
  /** The game's position before the move, in single moves. */
  before: number;
}

const SMALL_TIME = 30_000;
const LARGE_TIME = 8_000;

export class GameRating {
  rating = $state.raw<Rating | null>(null);
  failure = $state<string | null>(null);
  /** Nodes so far, while it is judged. */
  nodes = $state(0);

  #solvers: SolverCache;
  #game: RatedGame;
  #task = new Task();
  /** The game that was last asked about. */
  #asked = "";
  /** The moves that the rating is of. */
  #moves = "";

  constructor(solvers: SolverCache, game: RatedGame) {
    this.#solvers = solvers;
    this.#game = game;
  }

  get isBusy(): boolean {
    return this.#task.busy;
  }

  readonly judged = $derived.by<Judged[]>(() => {
    let before = 0;
    return (this.rating?.steps ?? []).map((move, index) => {
      const judged = { number: index + 1, move, before };
      before += lettersOf(move.moves).length;
      return judged;
    });
  });
  readonly losses = $derived(this.judged.filter(({ move }) => move.lost > 0));

  /** Whether moves were made since that the rating does not know. */
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

  /** To be called after every change of the game: a rating stays while its moves can be reached. */
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

/** Whether any distance is proved. Without one, losses and credit have no meaning. */
export const isProved = ({ bound, distance, steps }: Rating): boolean =>
  bound === distance || steps.some((step) => step.bound === step.distance);

/** The whole game in two sentences. Losses that are not proved are "at most". */
export function summaryOf(rating: Rating): string {
  if (!isProved(rating)) {
    return (
      "This game cannot be rated: the shortest distances on this board are not known. " +
      `The shortest known solution of its start has ${plural(rating.distance, "move")}.`
    );
  }
  const { length, kept, lost, exact } = rating;
  if (lost === 0 && exact) return `All ${plural(length, "move")} were optimal.`;
  const proof = exact ? "" : "at most ";
  return `${kept} of ${plural(length, "move")} kept a shortest way; ${proof}${plural(lost, "move")} lost.`;
}

export const gameRating = new GameRating(solvers, game);

/** Follows the game from now on. */
export function followForRating(): () => void {
  return $effect.root(() => {
    $effect(() => {
      void [game.start, game.goalText, solvers.metric];
      untrack(() => gameRating.follow());
    });
  });
}
