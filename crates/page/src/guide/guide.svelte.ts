/**
 * The guide to solving the board by hand, in stages. A stage is complete when its tiles and the
 * tiles of all earlier stages are in place, whatever moves the player made. The package plans moves
 * from the current board, and plans again if the player makes other moves.
 */
import { untrack } from "svelte";
import type { Step } from "sliding-tile-pdb";
import { marks, type Mark, type MarkBoard } from "../board/marks.svelte.ts";
import { announce } from "../common/notice.svelte.ts";
import { panel } from "../common/panel.svelte.ts";
import { save } from "../common/browser.ts";
import { game, type Game, type Way } from "../game/game.svelte.ts";
import { gameKey, playback, type PlayedGame } from "../solve/playback.svelte.ts";
import { boardAfter, lettersOf, tilesOf } from "../solve/moves.ts";
import { solvers } from "../solver/cache.svelte.ts";
import { isCancelled, pageError } from "../solver/error.ts";
import { Task } from "../solver/task.svelte.ts";
import { text } from "../text/text.svelte.ts";
import { firstOpen, homes, type Stage, stagesOf, stageWords } from "./stages.ts";

export type GuidedGame = PlayedGame & Pick<Game, "text" | "assisted">;

/** Returns the steps of the package's strategic mode for a board in text form. */
export type Planner = (board: string, signal: AbortSignal) => Promise<readonly Step[]>;

/** A step of a plan, with the place of its moves in the plan. */
export interface Part {
  step: Step;
  begin: number;
  end: number;
}

interface Plan {
  /** The start and the goal of the game. */
  game: string;
  /** The moves of the game when the plan was made. */
  prefix: string;
  board: readonly number[];
  letters: string;
  parts: readonly Part[];
}

/** Milliseconds without a move until the guide plans again. */
const REST = 120;
/**
 * Maximum number of displaced tiles of earlier stages. If more of these tiles are displaced, the
 * guide returns to the first stage with a displaced tile.
 */
const MOST_AWAY = 4;

export class Guide {
  isOn = $state(false);
  /** Whether the moves of the current part are shown. */
  isShown = $state(false);
  failure = $state<string | null>(null);
  /** Index of the current stage. */
  index = $state(0);
  #plan = $state.raw<Plan | null>(null);

  #game: GuidedGame;
  #planner: Planner;
  #marks: MarkBoard;
  #task = new Task();
  #key = "";
  #marked = new Map<number, Mark>();
  #rest: ReturnType<typeof setTimeout> | undefined;
  #next: ReturnType<typeof setTimeout> | undefined;

  constructor(game: GuidedGame, planner: Planner, marks: MarkBoard) {
    this.#game = game;
    this.#planner = planner;
    this.#marks = marks;
  }

  readonly stages = $derived.by(() => stagesOf(this.#game.goal, this.#game.columns));
  readonly stage = $derived<Stage | null>(this.stages[this.index] ?? null);

  readonly #home = $derived.by(() => homes(this.#game.tiles, this.#game.goal));

  /** Displaced tiles of earlier stages. */
  readonly away = $derived(
    this.stages.slice(0, this.index).flatMap(({ tiles }) => tiles.filter((t) => !this.#home[t])),
  );

  /** Number of moves of the plan that are made; `null` if the game left the plan. */
  readonly #made = $derived.by(() => {
    const plan = this.#plan;
    const { moves } = this.#game;
    if (!plan || plan.game !== gameKey(this.#game) || !moves.startsWith(plan.prefix)) return null;
    const made = moves.slice(plan.prefix.length);
    return plan.letters.startsWith(made) ? made.length : null;
  });

  /** Remaining parts of the stage. */
  readonly parts = $derived.by(() => {
    const [plan, made] = [this.#plan, this.#made];
    if (!plan || made === null || this.index >= this.stages.length) return [];
    const { goal, columns } = this.#game;
    const through = this.stages.slice(0, this.index + 1);
    const parts: Part[] = [];
    let [board, at]: [readonly number[], number] = [this.#game.tiles, made];
    for (const part of plan.parts) {
      if (part.end <= made) continue;
      board = boardAfter(board, columns, plan.letters.slice(at, part.end));
      at = part.end;
      parts.push(part);
      if (firstOpen(through, homes(board, goal)) === through.length) break;
    }
    return parts;
  });

  /** The moves of the first part, each with its tile. */
  readonly moves = $derived.by(() => {
    const [plan, made, part] = [this.#plan, this.#made, this.parts[0]];
    if (!plan || made === null || !part) return [];
    const letters = plan.letters.slice(made, part.end);
    const tiles = tilesOf(this.#game.tiles, this.#game.columns, letters);
    return tiles.map((tile, index) => ({ tile, way: letters[index] as Way }));
  });

  get isBusy(): boolean {
    return this.#task.busy;
  }

  start(): void {
    this.isOn = true;
    this.#key = "";
    this.follow();
  }

  stop(): void {
    clearTimeout(this.#next);
    this.isOn = false;
    this.isShown = false;
    this.#forget();
    this.#mark();
  }

  /** Makes the moves of the first part, `pace` milliseconds apart; with 0, all at once. */
  make(pace: number): void {
    clearTimeout(this.#next);
    const ways = this.moves.map(({ way }) => way);
    if (pace > 0) this.#makeOne(ways, pace);
    else if (ways.length > 0) this.#game.play(ways);
  }

  /** Makes one move every `pace` milliseconds, until something else moves a tile. */
  #makeOne([way, ...others]: readonly Way[], pace: number): void {
    if (way === undefined || !this.#game.play([way])) return;
    const { moves } = this.#game;
    this.#next = setTimeout(() => {
      if (this.isOn && this.#game.moves === moves) this.#makeOne(others, pace);
    }, pace);
  }

  /** Call after every change of the game. */
  follow(): void {
    if (!this.isOn) return;
    const open = firstOpen(this.stages, this.#home);
    const key = gameKey(this.#game);
    const isOther = key !== this.#key;
    this.#key = key;
    const isBack = this.away.length > MOST_AWAY || this.stage === null;
    const isNext = open > this.index;
    if (isOther || isBack || isNext) this.index = open;
    if (this.#game.isSolved) this.#forget();
    else {
      this.#game.assisted = true;
      if (this.stage && (isOther || isNext)) {
        const words = stageWords(this.stage, this.#game);
        // Waits for the announcement of the move.
        const say = isOther ? text.guide.ahead : text.guide.next;
        setTimeout(() => announce(say(words)));
      }
      if (this.#made === null) this.#planSoon(isOther);
    }
    this.#mark();
  }

  /** Call when moves are shown or hidden. */
  showMoves(on: boolean): void {
    this.isShown = on;
    this.#mark();
  }

  #planSoon(isNow: boolean): void {
    clearTimeout(this.#rest);
    this.#task.drop();
    this.failure = null;
    this.#rest = setTimeout(() => void this.#ask(), isNow ? 0 : REST);
  }

  async #ask(): Promise<void> {
    const { text: board, tiles, moves } = this.#game;
    const key = gameKey(this.#game);
    try {
      const steps = await this.#task.run((signal) => this.#planner(board, signal));
      if (!steps || !this.isOn || this.#game.text !== board || gameKey(this.#game) !== key) return;
      let letters = "";
      const parts = steps.map((step) => {
        const begin = letters.length;
        letters += lettersOf(step.moves);
        return { step, begin, end: letters.length };
      });
      this.#plan = { game: key, prefix: moves, board: tiles, letters, parts };
      this.#mark();
    } catch (error) {
      if (!isCancelled(error)) this.failure = pageError(error).text;
    }
  }

  #forget(): void {
    clearTimeout(this.#rest);
    this.#task.drop();
    this.#plan = null;
    this.failure = null;
  }

  /** Marks the tiles of the stage and, if moves are shown, the next tile to move. */
  #mark(): void {
    for (const [tile, mark] of this.#marked) {
      if (this.#marks.get(tile) === mark) this.#marks.delete(tile);
    }
    this.#marked.clear();
    if (!this.isOn || !this.stage || this.#game.isSolved) return;
    for (const tile of this.stage.tiles) if (!this.#home[tile]) this.#marked.set(tile, "hint");
    const [next] = this.isShown ? this.moves : [];
    if (next) this.#marked.set(next.tile, `hint ${next.way}`);
    for (const [tile, mark] of this.#marked) this.#marks.set(tile, mark);
  }
}

async function plan(board: string, signal: AbortSignal): Promise<readonly Step[]> {
  const solver = await solvers.solverAtOnce();
  signal.throwIfAborted();
  const { steps = [] } = await solver.solve(board, { mode: "strategic", explain: true, signal });
  return steps;
}

export const guide = new Guide(game, plan, marks.tiles);

/** Observes the game from now on. The guide ends with its panel. */
export function followForGuide(): () => void {
  return $effect.root(() => {
    $effect(() => save("guide", guide.isOn, "tab"));
    $effect(() => {
      if (panel.open !== "advice") untrack(() => guide.stop());
    });
    $effect(() => {
      void [game.text, game.goalText, game.start];
      if (playback.isPlaying || !game.isSolvable) return;
      untrack(() => guide.follow());
    });
  });
}
