/**
 * A comparison of heuristics on the page's board: all heuristics, or two side by side. Searches run
 * one after the other, so that their times are comparable; results stay until the next comparison.
 */
import type { Laboratory } from "sliding-tile-pdb";
import { announce } from "../common/announce.svelte.ts";
import { game } from "../game/game.svelte.ts";
import { isCancelled, pageError } from "../solver/error.ts";
import { playback } from "../solve/playback.svelte.ts";
import { search } from "../solve/search.svelte.ts";
import type { Question } from "../solve/solution.ts";
import { bench, beginSearch } from "./bench.ts";
import { heuristics } from "./heuristics.svelte.ts";
import { summaryText } from "./summary.ts";
import { type Trial, type TrialProgress, foundOf, runTrial } from "./trial.ts";

/** View of the panel: a comparison of all heuristics, or of two chosen heuristics. */
export type View = "all" | "two";

/** A heuristic of a comparison. */
export interface Entry {
  readonly heuristic: string;
  /** `cancelled`: the trial was stopped before its end, or never started. */
  readonly state: "waiting" | "running" | "done" | "failed" | "cancelled";
  readonly progress?: TrialProgress;
  readonly trial?: Trial;
  readonly message?: string;
}

/** Subject of a comparison. */
export interface Ground {
  readonly board: string;
  readonly goal: string;
  readonly search: string;
  readonly question: Question;
}

/** The parts of the game and the panel that the comparison uses. */
interface Host {
  ground(search: string): Ground;
  laboratory(): Promise<Laboratory>;
}

export class Versus {
  view = $state<View>("all");
  search = $state("ida-star");
  pair = $state.raw<readonly [string, string]>(["manhattan", "linear-conflict"]);
  /** The time limit of each search. */
  seconds = $state(20);
  /** Results by view. The results of a view stay while the other view is open. */
  #results = $state.raw<Record<View, readonly Entry[]>>({ all: [], two: [] });
  #grounds = $state.raw<Record<View, Ground | null>>({ all: null, two: null });
  /** The view whose searches run. */
  running = $state<View | null>(null);

  #host: Host;
  #abort: AbortController | null = null;

  constructor(host: Host) {
    this.#host = host;
  }

  get entries(): readonly Entry[] {
    return this.#results[this.view];
  }

  get ground(): Ground | null {
    return this.#grounds[this.view];
  }

  /**
   * Runs the searches of a view. In the view of all heuristics, they run in reverse order, because
   * the last heuristics of the list need the least time.
   */
  async run(names: readonly string[]): Promise<void> {
    this.cancel();
    const { view } = this;
    const abort = new AbortController();
    const ground = this.#host.ground(this.search);
    const maxTime = 1000 * this.seconds;
    this.#abort = abort;
    this.running = view;
    this.#grounds = { ...this.#grounds, [view]: ground };
    this.#results = {
      ...this.#results,
      [view]: names.map((heuristic): Entry => ({ heuristic, state: "waiting" })),
    };
    const order = names.map((_, index) => index);
    if (view === "all") order.reverse();
    try {
      for (const index of order) {
        await this.#search(view, index, ground, maxTime, abort.signal);
        if (abort.signal.aborted) return;
      }
      announce(summaryText(this.#results[view]));
    } finally {
      if (this.#abort === abort) this.#finish();
    }
  }

  /** Cancels the running search; results so far stay. */
  cancel(): void {
    if (!this.#abort || !this.running) return;
    const view = this.running;
    this.#abort.abort();
    const entries = this.#results[view].map((entry): Entry => {
      const isOpen = entry.state === "waiting" || entry.state === "running";
      return isOpen ? { ...entry, state: "cancelled" } : entry;
    });
    this.#results = { ...this.#results, [view]: entries };
    this.#finish();
  }

  async #search(
    view: View,
    index: number,
    { board, goal, search }: Ground,
    maxTime: number,
    signal: AbortSignal,
  ): Promise<void> {
    const { heuristic } = this.#results[view][index];
    const set = (part: Partial<Entry>) => {
      if (signal.aborted) return;
      const entries = this.#results[view].with(index, { ...this.#results[view][index], ...part });
      this.#results = { ...this.#results, [view]: entries };
    };
    const end = beginSearch(search);
    set({ state: "running" });
    try {
      const laboratory = await this.#host.laboratory();
      const request = { board, goal, heuristic, search, maxTime };
      const trial = await runTrial(laboratory, request, signal, (progress) => set({ progress }));
      set({ state: "done", trial });
    } catch (error) {
      if (!isCancelled(error)) set({ state: "failed", message: pageError(error).text });
    } finally {
      end();
    }
  }

  #finish(): void {
    this.#abort = null;
    this.running = null;
  }
}

export const versus = new Versus({
  ground: (name) => ({
    board: game.text,
    goal: game.goalText,
    search: name,
    // Textbook searches count single-tile moves, whatever metric the solver has.
    question: { ...search.ask(), metric: "single" },
  }),
  laboratory: () => bench.get(),
});

/** Compares all heuristics that are offered for the size. */
export async function runAll(): Promise<void> {
  await heuristics.learn(game.size);
  await versus.run(heuristics.of(game.size));
}

/** Plays the path found with a heuristic. */
export function playTrial(ground: Ground, trial: Trial): void {
  search.adopt(ground.question, foundOf(trial));
  playback.play();
}

/** Whether the game is on the path of a solution for the compared board. */
export function isOnPath({ question }: Ground): boolean {
  const { solution, index } = playback;
  return index !== null && solution?.game === question.game && solution.prefix === question.prefix;
}

/** Whether the path of a result is being played. */
export function isPlayed(ground: Ground, { heuristic, search }: Trial): boolean {
  const report = playback.solution?.report;
  const isOwn = report?.tables === heuristic && report.search === search;
  return isOwn && playback.isPlaying && isOnPath(ground);
}
