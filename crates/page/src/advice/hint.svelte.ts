/**
 * Help with the next move in four steps, one per press: the distance to the goal, the tile to move,
 * its direction, and all good moves. After each move on the board, the steps start again.
 */
import { untrack } from "svelte";
import type { Hint, Solver } from "sliding-tile-pdb";
import { announce } from "../common/announce.svelte.ts";
import { marks, type Mark } from "../board/marks.svelte.ts";
import { load, save } from "../common/store.ts";
import { isProvable } from "../solver/choice.ts";
import { solvers, type SolverCache } from "../solver/cache.svelte.ts";
import { pageError, isCancelled } from "../solver/error.ts";
import { Task } from "../solver/task.svelte.ts";
import { game, type Way } from "../game/game.svelte.ts";
import { boardText } from "../game/rules.ts";
import { playback } from "../solve/playback.svelte.ts";
import { boardAfter, lettersOf, tilesOf } from "../solve/moves.ts";
import { text } from "../text/text.svelte.ts";
import { moveText, movesText, tilesText } from "./words.ts";

/**
 * Number of shown steps; 0 without a hint. The steps 1 to 4 show the distance, the tile, the tile's
 * direction, and all good moves.
 */
export type Level = 0 | 1 | 2 | 3 | 4;

interface HintGame {
  readonly text: string;
  readonly goalText: string;
  readonly size: string;
  readonly isSolved: boolean;
  /** Whether the player used help in this game. */
  assisted: boolean;
  play(way: Way, by?: "player" | "program"): boolean;
}

/** Stores the marks on the tiles of a board. */
export interface MarkBoard {
  set(tile: number, mark: Mark): unknown;
  get(tile: number): Mark | undefined;
  delete(tile: number): unknown;
}

/** Time limits of a hint on small and large boards, in milliseconds. */
const SMALL_TIME = 15_000;
const LARGE_TIME = 3_000;
/** Milliseconds without a move after which a hint is computed automatically. */
const REST = 150;

export class HintAsker {
  level = $state<Level>(0);
  hint = $state.raw<Hint | null>(null);
  failure = $state<string | null>(null);
  /** Whether the first press shows all steps. */
  isWhole = $state(false);
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

  /** The steps so far, one sentence each. */
  readonly sentences = $derived(this.hint ? sentencesOf(this.hint).slice(0, this.level) : []);

  /** Shows one more step. */
  async press(): Promise<void> {
    if (this.isBusy || this.#game.isSolved) return;
    if (this.hint) {
      if (this.level < 4) this.#tell((this.level + 1) as Level);
      return;
    }
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
      this.#tell(this.#first);
    } catch (error) {
      if (isCancelled(error)) return;
      this.failure = pageError(error).text;
      announce(this.failure);
    }
  }

  /** Makes the first good move, after computing it if necessary. */
  async make(): Promise<void> {
    if (!this.hint) await this.press();
    const move = this.hint?.moves[0];
    if (!move) return;
    for (const way of lettersOf(move.moves)) this.#game.play(way as Way);
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
    this.level = 0;
    this.hint = null;
    this.failure = null;
    this.#unmark();
    if (!this.isAlways || this.#game.isSolved) return;
    if (rest) {
      this.#asked = this.#key();
      // Waits for the announcement of the move.
      this.#rest = setTimeout(() => {
        this.hint = rest;
        this.#tell(3);
      });
    } else this.#rest = setTimeout(() => void this.press(), REST);
  }

  /** Sets whether the next move of every board is shown. */
  showAlways(on: boolean): void {
    this.isAlways = on;
    clearTimeout(this.#rest);
    if (!on || this.#game.isSolved || this.isBusy) return;
    if (this.hint) this.#tell(Math.max(3, this.level) as Level);
    else void this.press();
  }

  /** The level of the hint after the first press. */
  get #first(): Level {
    if (this.isWhole) return 4;
    return this.isAlways ? 3 : 1;
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

  #tell(level: Level): void {
    const { hint } = this;
    if (!hint) return;
    this.level = level;
    this.#game.assisted = true;
    this.#unmark();
    // The second step marks the tile, the third step also shows the tile's direction, and the last
    // step shows all good moves.
    const shown = level < 2 ? [] : level < 4 ? hint.moves.slice(0, 1) : hint.moves;
    for (const { tiles, moves } of shown) {
      this.#mark(tiles, level === 2 ? "hint" : `hint ${moves.charAt(0) as Way}`);
    }
    announce(sentencesOf(hint)[level - 1]);
  }

  #mark(tiles: readonly number[], mark: Mark): void {
    for (const tile of tiles) {
      if (this.#marks.get(tile) !== undefined) continue;
      this.#marks.set(tile, mark);
      this.#marked.push(tile);
    }
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

/** The four steps in words. */
export function sentencesOf(hint: Hint): string[] {
  const [first] = hint.moves;
  const away = movesText(hint.distance);
  const isProved = hint.distance === hint.bound;
  const far = isProved ? text.advice.far(away) : text.advice.atMostFar(away, hint.bound);
  if (!first) return [far, far, far, far];
  const [only, all] = hint.exact
    ? [text.advice.onlyGood, text.advice.allGood]
    : [text.advice.onlyKnown, text.advice.allKnown];
  return [
    far,
    text.advice.move(tilesText(first.tiles)),
    text.advice.move(moveText(first)),
    hint.moves.length === 1 ? only : all(hint.moves.map(moveText).join("; ")),
  ];
}

export const hints = new HintAsker(solvers, game, marks.tiles);
hints.isWhole = load("whole-hints") === true;
hints.isAlways = load("hints", "tab") === true;

/** Observes the game from now on, even if no panel shows the hint. */
export function followForHints(): () => void {
  return $effect.root(() => {
    $effect(() => save("whole-hints", hints.isWhole));
    $effect(() => save("hints", hints.isAlways, "tab"));
    $effect(() => {
      void [game.text, game.goalText, solvers.metric];
      // A playback already shows the moves, and boards without a solution have no good moves.
      if (playback.isPlaying || game.solvability?.solvable === false) return;
      untrack(() => hints.follow());
    });
  });
}
