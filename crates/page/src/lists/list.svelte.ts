/** A list of boards that is solved row by row. The list has its own solvers. */
import { createSolver, type Mode, type Report, type SearchProgress } from "sliding-tile-pdb";
import { announce } from "../common/announce.svelte.ts";
import { notices } from "../common/notice.svelte.ts";
import { panel } from "../common/panel.svelte.ts";
import { goalIn } from "../game/address.ts";
import { game } from "../game/game.svelte.ts";
import { boardText, ordered } from "../game/rules.ts";
import { SolverCache } from "../solver/cache.svelte.ts";
import { isProvable } from "../solver/choice.ts";
import type { Maker } from "../solver/entry.svelte.ts";
import { isCancelled, pageError } from "../solver/error.ts";
import { Task } from "../solver/task.svelte.ts";
import { text } from "../text/text.svelte.ts";
import type { Line } from "./reading.ts";

export type State =
  "waiting" | "tables" | "running" | "solved" | "unsolvable" | "limit" | "cancelled" | "error";

/** A row of the table. */
export interface Row extends Line {
  state: State;
  /** The goal of the board; absent if the line is not a board. */
  goal?: number[];
  report?: Partial<Report>;
  /** A sentence with the error. */
  error?: string;
}

/** Milliseconds between two announcements of progress. */
const ANNOUNCE_EVERY = 15_000;

/** Whether a row is complete; cancelled rows can be solved later. */
const isDone = ({ state }: Row): boolean =>
  state !== "waiting" && state !== "tables" && state !== "running" && state !== "cancelled";

/** Size and goal of the page. For boards of other sizes, the goal has the blank last. */
export interface Goal {
  size: string;
  tiles: readonly number[];
}

export class BoardList {
  rows = $state.raw<readonly Row[]>([]);
  /** The row of the running search, with its progress. */
  live = $state.raw<{ index: number; progress: SearchProgress | null } | null>(null);
  /** The text of the list, as the visitor entered it. */
  text = $state("");
  /** Whether the table is shown instead of the text. */
  isTable = $state(false);
  /** Time limit per board, in seconds. */
  seconds = $state(60);
  #mode = $state<Mode>("optimal");
  #isChosen = false;
  readonly done = $derived(this.rows.filter(isDone).length);

  #task = new Task();
  /** Size and goal of the row that is being solved. The solver cache reads them. */
  #target = { size: "", goalText: "" };
  #solvers: SolverCache;
  #announced = 0;

  constructor(make: Maker) {
    this.#solvers = new SolverCache(this.#target, make);
  }

  get mode(): Mode {
    return this.#mode;
  }

  set mode(mode: Mode) {
    this.#mode = mode;
    this.#isChosen = true;
    this.seconds = secondsOf(mode);
  }

  get isBusy(): boolean {
    return this.#task.busy;
  }

  /** Replaces all boards, without solving them. */
  take(lines: readonly Line[], goal: Goal): void {
    this.cancel();
    this.rows = lines.map((line): Row => {
      const { board } = line;
      if (typeof board === "string") return { ...line, state: "error", error: board };
      const same = board.size === goal.size ? [...goal.tiles] : ordered(board.tiles.length);
      return { ...line, state: "waiting", goal: goalIn(board) ?? same };
    });
    if (this.#isChosen) return;
    const provable = ({ board }: Line) =>
      typeof board === "string" || isProvable(board.size, "single");
    this.#mode = lines.every(provable) ? "optimal" : "anytime";
    this.seconds = secondsOf(this.#mode);
  }

  /** Solves the rows without an answer, in order. */
  async run(): Promise<void> {
    this.isTable = true;
    this.#announced = performance.now();
    await this.#task.run(async (signal) => {
      for (let index = 0; index < this.rows.length && !signal.aborted; index++) {
        if (!isDone(this.rows[index])) await this.#solve(index, signal);
        if (!signal.aborted) this.#announce();
      }
    });
    if (!this.#task.busy) this.live = null;
    if (this.done < this.rows.length) return;
    const solved = this.rows.filter(({ state }) => state === "solved").length;
    const words = text.lists.finished(solved, this.rows.length);
    announce(words);
    if (panel.dialog === "list") return;
    notices.flash(words, { label: text.lists.show, run: () => (panel.dialog = "list") }, 60_000);
  }

  /** Cancels the run immediately, and keeps the answers found so far. */
  cancel(): void {
    if (!this.isBusy) return;
    this.#task.drop();
    this.#solvers.cancel();
    const { live } = this;
    this.live = null;
    if (live) this.#set(live.index, { state: "cancelled" });
    announce(text.lists.stopped(this.done, this.rows.length));
  }

  /** Frees the tables of the solvers. */
  close(): void {
    this.cancel();
    for (const entry of this.#solvers.entries) this.#solvers.forget(entry);
  }

  async #solve(index: number, signal: AbortSignal): Promise<void> {
    const { board, goal } = this.rows[index];
    if (typeof board === "string" || goal === undefined) return;
    const { mode } = this;
    this.#target.size = board.size;
    this.#target.goalText = boardText(goal, board.columns);
    this.live = { index, progress: null };
    try {
      this.#set(index, { state: "tables" });
      const solvers = this.#solvers;
      const solver = await (mode === "strategic" ? solvers.solverAtOnce() : solvers.solver());
      signal.throwIfAborted();
      this.#set(index, { state: "running" });
      const report = await solver.solve(board.board, {
        mode,
        signal,
        ...(mode === "strategic" ? {} : { maxTime: 1000 * this.seconds }),
        onProgress: (progress) => {
          if (!signal.aborted) this.live = { index, progress };
        },
      });
      if (!signal.aborted) this.#set(index, { state: "solved", report });
    } catch (error) {
      // If the row was cancelled, the code that cancelled it has already set its state.
      if (!signal.aborted) this.#set(index, failureOf(error));
    }
  }

  #set(index: number, change: Partial<Row>): void {
    const rows = [...this.rows];
    rows[index] = { ...rows[index], ...change };
    this.rows = rows;
  }

  #announce(): void {
    const now = performance.now();
    if (now - this.#announced < ANNOUNCE_EVERY) return;
    this.#announced = now;
    announce(text.lists.progress(this.done, this.rows.length));
  }
}

/** Default time limit per board, in seconds. A proof can take longer than other answers. */
const secondsOf = (mode: Mode): number => (mode === "optimal" ? 60 : 5);

/**
 * The state of a row after an error. Reached limits and unsolvable boards are regular results; any
 * other error stops this row, but not the list.
 */
function failureOf(error: unknown): Partial<Row> {
  const report = reportOf(error);
  const { code, text } = pageError(error);
  if (code === "limit" || code === "unsolvable") return { state: code, report };
  if (isCancelled(error)) return { state: "cancelled" };
  return { state: "error", error: text };
}

function reportOf(error: unknown): Partial<Report> | undefined {
  const report = typeof error === "object" && error && "report" in error ? error.report : undefined;
  return typeof report === "object" && report !== null ? (report as Partial<Report>) : undefined;
}

export const list = new BoardList(createSolver);

/** The current goal of the page. */
export const goalOfPage = (): Goal => ({ size: game.size, tiles: game.goal });
