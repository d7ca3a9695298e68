/**
 * Help with the next move: one press marks the tile and its direction on the board. After each move
 * on the board, the hint is gone; the next one follows if the visitor wants it always.
 */
import { untrack } from "svelte";
import type { Hint, Solver } from "sliding-tile-pdb";
import { announce } from "../common/notice.svelte.ts";
import { hintShown, type MarkBoard, marks } from "../board/marks.svelte.ts";
import { load, save } from "../common/browser.ts";
import { isProvable } from "../solver/choice.ts";
import { solvers, type SolverCache } from "../solver/cache.svelte.ts";
import { pageError, isCancelled, sentence } from "../solver/error.ts";
import { Task } from "../solver/task.svelte.ts";
import { game, type Game, type Way } from "../game/game.svelte.ts";
import { boardText } from "sliding-tile-pdb/board-rules";
import { playback } from "../solve/playback.svelte.ts";
import { boardAfter, lettersOf, tilesOf } from "../solve/moves.ts";
import { text } from "../text/text.svelte.ts";
import { movesText, moveText } from "../common/format.ts";

type HintGame = Pick<Game, "text" | "goalText" | "size" | "isSolved" | "assisted">;

/** Time limits of a hint on small and large boards, in milliseconds. */
const SMALL_TIME = 15_000;
const LARGE_TIME = 3_000;
/** Milliseconds without a move after which a hint is computed automatically. */
const REST = 150;

export class HintAsker {
  hint = $state.raw<Hint | null>(null);
  failure = $state<string | null>(null);
  /** Whether the next move is always shown. */
  isAlways = $state(false);

  #solvers: SolverCache;
  #game: HintGame;
  #marks: MarkBoard;
  #task = new Task();
  #asked = "";
  #marked: number[] = [];
  #rest: ReturnType<typeof setTimeout> | undefined;

  constructor(solvers: SolverCache, game: HintGame, marks: MarkBoard) {
    this.#solvers = solvers;
    this.#game = game;
    this.#marks = marks;
  }

  get isBusy(): boolean {
    return this.#task.busy;
  }

  /** The hint in words. */
  readonly words = $derived(this.hint ? wordsOf(this.hint) : "");

  /** Shows the hint. */
  async press(): Promise<void> {
    if (this.isBusy || this.#game.isSolved) return;
    if (this.hint) return this.#tell();
    clearTimeout(this.#rest);
    this.failure = null;
    this.#asked = this.#key();
    const board = this.#game.text;
    const maxTime = isProvable(this.#game.size, this.#solvers.metric) ? SMALL_TIME : LARGE_TIME;
    try {
      const hint = await this.#task.run(async (signal) => {
        const solver = await this.#solvers.solver();
        signal.throwIfAborted();
        try {
          return await solver.hint(board, { signal, maxTime });
        } catch (error) {
          if (pageError(error).code !== "limit") throw error;
          return knownHint(solver, board, signal);
        }
      });
      if (hint === undefined || this.#key() !== this.#asked) return;
      this.hint = hint;
      this.#tell();
    } catch (error) {
      if (isCancelled(error)) return;
      this.failure = pageError(error).text;
      announce(this.failure);
    }
  }

  /** Cancels the search. */
  cancel(): void {
    this.#task.drop();
  }

  /** Call this after every change of the game. Discards the hint if it is for another board. */
  follow(): void {
    if (this.#key() === this.#asked) return;
    const rest = this.#restOfSolution();
    this.#task.drop();
    clearTimeout(this.#rest);
    this.#asked = "";
    this.hint = null;
    this.failure = null;
    this.#unmark();
    if (!this.isAlways || this.#game.isSolved) return;
    if (rest) {
      this.#asked = this.#key();
      // Waits for the announcement of the move.
      this.#rest = setTimeout(() => {
        this.hint = rest;
        this.#tell();
      });
    } else this.#rest = setTimeout(() => void this.press(), REST);
  }

  /** Sets whether the next move of every board is shown. */
  showAlways(on: boolean): void {
    this.isAlways = on;
    clearTimeout(this.#rest);
    if (on) void this.press();
  }

  /**
   * The rest of the last hint's solution, if the player made the hint's move and the solution is
   * not proved. A new search would take as long as the last one, and could find another solution.
   */
  #restOfSolution(): Hint | null {
    const { hint } = this;
    if (!hint || hint.exact || this.#solvers.metric === "multi") return null;
    const letters = lettersOf(hint.solution);
    const board = hint.board.split("/").map((row) => row.split(" ").map(Number));
    const after = boardAfter(board.flat(), board[0].length, letters.charAt(0));
    const moves = letters.charAt(1);
    const now = this.#game.text;
    if (boardText(after, board[0].length) !== now || moves === "") return null;
    return {
      ...hint,
      board: now,
      distance: hint.distance - 1,
      bound: Math.max(0, hint.bound - 1),
      moves: [{ tiles: tilesOf(after, board[0].length, moves), moves }],
      solution: letters.slice(1),
    };
  }

  #key(): string {
    return `${this.#game.text}|${this.#game.goalText}|${this.#solvers.metric}`;
  }

  #tell(): void {
    const [move] = this.hint?.moves ?? [];
    this.#game.assisted = true;
    this.#unmark();
    for (const tile of move?.tiles ?? []) {
      if (this.#marks.get(tile) !== undefined) continue;
      this.#marks.set(tile, `hint ${move.moves.charAt(0) as Way}`);
      this.#marked.push(tile);
    }
    announce(this.words);
  }

  #unmark(): void {
    for (const tile of this.#marked) this.#marks.delete(tile);
    this.#marked = [];
  }
}

/** The first move of a short solution; used if no proof is found in time. */
async function knownHint(solver: Solver, board: string, signal: AbortSignal): Promise<Hint> {
  const report = await solver.solve(board, { mode: "anytime", maxTime: LARGE_TIME, signal });
  const [first = ""] = (report.moves ?? "").match(/[UDLR]\d*/) ?? [];
  const moves = solver.metric === "multi" ? first : first.charAt(0);
  const rows = board.split("/").map((row) => row.split(" ").map(Number));
  return {
    board,
    distance: report.length ?? 0,
    bound: report.bound ?? 0,
    // Other good moves may exist.
    exact: false,
    moves: [{ tiles: tilesOf(rows.flat(), rows[0].length, lettersOf(moves)), moves }],
    solution: report.moves ?? "",
    nodes: report.nodes ?? 0,
    tables: report.tables ?? "",
  };
}

/** The hint in words: "Tile 7 right; 55 moves left." */
function wordsOf({ moves: [first], distance, bound }: Hint): string {
  const left = movesText(distance);
  if (!first) return text.advice.far(left);
  const move = sentence(moveText(first)).replace(/\.$/, "");
  return (distance === bound ? text.advice.hintLeft : text.advice.hintAtMost)(move, left);
}

export const hints = new HintAsker(solvers, game, marks.tiles);
hints.isAlways = load("hints", "tab") === true;

let isFollowing = false;

/** Observes the game from now on, even if no panel shows the hint. Further calls do nothing. */
export function followForHints(): void {
  if (isFollowing) return;
  isFollowing = true;
  $effect.root(() => {
    $effect(() => save("hints", hints.isAlways, "tab"));
    $effect(() => {
      hintShown.words = hints.failure ?? (hints.isBusy ? text.advice.looking : hints.words);
    });
    $effect(() => {
      void [game.text, game.goalText, solvers.metric];
      // A playback already shows the moves, and boards without a solution have no good moves.
      if (playback.isPlaying || !game.isSolvable) return;
      untrack(() => hints.follow());
    });
  });
}
