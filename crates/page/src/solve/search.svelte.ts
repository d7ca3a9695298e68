/**
 * The search for a solution of the board: its options, progress and outcome. An answer is used only
 * if the game is still at the position of the request.
 */
import { untrack } from "svelte";
import type { Mode, SearchProgress, Solver } from "sliding-tile-pdb";
import { announce } from "../common/notice.svelte.ts";
import { defaultMode, isProvable } from "../solver/choice.ts";
import { solvers, type SolverCache } from "../solver/cache.svelte.ts";
import { pageError, isCancelled } from "../solver/error.ts";
import { Task } from "../solver/task.svelte.ts";
import { game, type Game, type Way } from "../game/game.svelte.ts";
import { marks } from "../board/marks.svelte.ts";
import { panel } from "../common/panel.svelte.ts";
import { text } from "../text/text.svelte.ts";
import { type Forecast, NodeGrowth } from "./forecast.ts";
import { movesText } from "../common/format.ts";
import { outcomeOf, outcomeOfEntered, outcomeWithout, solutionOf, wayBack } from "./solution.ts";
import type { Found, Outcome, Question } from "./solution.ts";
import { type PlayedGame, type Playback, gameKey, playback } from "./playback.svelte.ts";

type SearchGame = PlayedGame & Pick<Game, "text" | "goalText" | "size">;

/** Milliseconds after the player's last move until a new search starts. */
const REST = 120;
/** Time limit of an automatic search, in milliseconds. */
const QUIET_TIME = 15_000;
/** Time limit for a short solution before a proof that can take hours, in milliseconds. */
const FIRST_TIME = 2000;
/** Maximum number of listed solutions. */
const MOST_SOLUTIONS = 1000;
/** Milliseconds between two announcements of progress. */
const ANNOUNCE_EVERY = 4000;
/** Milliseconds of a search until its forecast is shown. */
const FORECAST_AFTER = 3000;

export class Search {
  /** Time limit of an anytime search, in seconds. */
  seconds = $state(5);
  /** Whether to find all shortest solutions. */
  isAll = $state(false);
  phase = $state<"idle" | "tables" | "search">("idle");
  /** Whether the running search started automatically after a move of the player. */
  isQuiet = $state(false);
  live = $state.raw<SearchProgress | null>(null);
  /** Forecast for the next bounds; `null` if it is unknown or not worth showing. */
  forecast = $state.raw<Forecast | "soon" | null>(null);
  /** Outcome of a search without a solution: a function, since the language can change. */
  #ending = $state.raw<(() => Outcome) | null>(null);
  /** The reason why a search with a solution ended early. */
  #stop = $state<"stopped" | "stoppedByPlayer" | undefined>();
  /** The listed solutions, and the index of the solution that is played. */
  solutions = $state.raw<readonly string[]>([]);
  chosen = $state(0);

  #modes = $state.raw<ReadonlyMap<string, Mode>>(new Map());
  #solvers: SolverCache;
  #game: SearchGame;
  #playback: Playback;
  #task = new Task();
  #question: Question | null = null;
  #best: Found | null = null;
  #growth = new NodeGrowth();
  /** Whether a first solution can be played while the search continues with the proof. */
  #isProving = false;
  #rest: ReturnType<typeof setTimeout> | undefined;
  #announced = 0;

  constructor(solvers: SolverCache, game: SearchGame, playback: Playback) {
    this.#solvers = solvers;
    this.#game = game;
    this.#playback = playback;
  }

  get mode(): Mode {
    const { size } = this.#game;
    return this.#modes.get(size) ?? defaultMode(size, this.#solvers.metric);
  }

  set mode(mode: Mode) {
    this.#modes = new Map(this.#modes).set(this.#game.size, mode);
  }

  /** Outcome of the last search, if it applies to the current board. */
  get outcome(): Outcome | null {
    const { solution } = this.#playback;
    if (this.#ending || !solution) return this.#ending?.() ?? null;
    if (solution.entered) {
      const { index } = this.#playback;
      return outcomeOfEntered(solution.ends.length, solution.entered, index === 0);
    }
    const end = this.#stop && text.solve[this.#stop];
    return outcomeOf(solution.report, { longer: solution.longer, end });
  }

  get isBusy(): boolean {
    return this.phase !== "idle";
  }

  /** Discards the outcome, since the options have changed. */
  reset(): void {
    this.#drop();
    this.#clear();
    this.#playback.clear();
  }

  /** Starts a search. `isQuiet`: the page starts it, since the player left the solution's path. */
  async solve(isQuiet = false): Promise<void> {
    clearTimeout(this.#rest);
    const question = this.ask();
    const { mode } = this;
    if (!isQuiet) {
      this.#playback.clear();
      this.#clear();
    }
    this.#best = null;
    this.#growth = new NodeGrowth();
    this.#question = question;
    this.#announced = performance.now();
    try {
      const report = await this.#task.run(async (signal) => {
        this.phase = "tables";
        this.isQuiet = isQuiet;
        this.live = null;
        this.forecast = null;
        const solvers = this.#solvers;
        const solver = await (mode === "strategic" ? solvers.solverAtOnce() : solvers.solver());
        signal.throwIfAborted();
        this.phase = "search";
        return this.#search(solver, mode, signal, isQuiet);
      });
      const isOn = this.#isHere(question) || (this.#isProving && this.#playback.index !== null);
      if (report !== undefined && isOn) this.#take(question, report, isQuiet);
      if (report !== undefined) this.#solvers.openOtherGoals();
    } catch (error) {
      this.#fail(error, isQuiet);
    }
    if (!this.#task.busy) this.#end();
  }

  /** Cancels the search immediately, and keeps the best solution found so far. */
  cancel(): void {
    if (!this.isBusy) return;
    const { live, phase, isQuiet } = this;
    const best = this.#best;
    this.#drop();
    if (phase === "tables") this.#solvers.cancel();
    if (isQuiet) return;
    if (best) this.#keepBest("stopped", best, live);
    else this.#ending = () => outcomeWithout(text.solve.cancelled, live);
    announce(this.outcome?.text ?? text.solve.cancelled);
  }

  /** Call after every change of the game. */
  follow(): void {
    const where = this.#playback.follow();
    const isAside = this.#question !== null && !this.#isHere(this.#question);
    if (this.isBusy && isAside && !(this.#isProving && where === "on")) {
      const best = this.#best;
      const { isQuiet, live } = this;
      this.#drop();
      if (best && where === "on" && !isQuiet) this.#keepBest("stoppedByPlayer", best, live);
    }
    if (where === "over") {
      if (isAside) {
        this.#clear();
        this.#question = null;
      }
    } else if (where === "off" && !this.#game.isSolved) {
      this.#clear();
      clearTimeout(this.#rest);
      // Entered moves that do not solve the board are not a request for a solution.
      if (this.#playback.solution?.entered?.solves === false) return;
      this.#rest = setTimeout(() => {
        if (this.#playback.follow() === "off" && !this.isBusy) void this.solve(true);
      }, REST);
    }
  }

  /** Plays another of the listed solutions. */
  choose(index: number): void {
    const { first } = this.#playback;
    const moves = this.solutions[index];
    if (!first || moves === undefined) return;
    this.chosen = index;
    if (this.#playback.index !== null) this.#playback.seek(0);
    this.#playback.begin(solutionOf(first, { ...first.report, moves }));
  }

  /**
   * Plays a solution that another part of the page found. Returns `false` if the game is no longer
   * at the board that the solution solves.
   */
  adopt(question: Question, report: Found): boolean {
    if (!this.canAdopt(question)) return false;
    this.reset();
    this.#solvers.metric = question.metric;
    this.#game.seek(question.prefix.length);
    this.#question = question;
    this.#playback.begin(solutionOf(question, report));
    return true;
  }

  canAdopt(question: Question): boolean {
    return question.game === gameKey(this.#game) && this.#game.moves.startsWith(question.prefix);
  }

  /** The question for the current board. */
  ask(): Question {
    const { tiles: board, columns, moves } = this.#game;
    return {
      game: gameKey(this.#game),
      prefix: moves,
      board,
      columns,
      metric: this.#solvers.metric,
    };
  }

  #isHere(question: Question): boolean {
    return (
      question.game === gameKey(this.#game) &&
      question.prefix === this.#game.moves &&
      question.metric === this.#solvers.metric
    );
  }

  async #search(solver: Solver, mode: Mode, signal: AbortSignal, isQuiet: boolean): Promise<Found> {
    const { text: board } = this.#game;
    const onProgress = (progress: SearchProgress) => {
      if (!signal.aborted) this.#hear(progress);
    };
    if (mode === "optimal" && !isQuiet && !isProvable(this.#game.size, solver.metric)) {
      // The proof can take hours. Meanwhile, and after a cancellation, this solution can be played.
      const first = await solver.solve(board, {
        mode: "anytime",
        maxTime: FIRST_TIME,
        signal,
        onProgress: (progress) => {
          if (!signal.aborted) this.live = progress;
        },
        onImproved: (report) => {
          if (!signal.aborted) this.#improve(report, isQuiet);
        },
      });
      if (first.proved && !this.isAll) return first;
      if (!signal.aborted) this.#improve(first, isQuiet);
      if (!this.isAll) return this.#prove(solver, board, first, signal);
    }
    if (mode === "optimal" && this.isAll && !isQuiet) {
      return solver.allSolutions(board, { signal, most: MOST_SOLUTIONS, onProgress });
    }
    return solver.solve(board, {
      mode,
      signal,
      onProgress,
      ...(mode === "strategic" ? { explain: true } : {}),
      ...(mode === "anytime" ? { maxTime: 1000 * this.seconds } : {}),
      ...(mode === "optimal" && isQuiet ? { maxTime: QUIET_TIME } : {}),
      onImproved: (report) => {
        if (!signal.aborted) this.#improve(report, isQuiet);
      },
    });
  }

  /** Searches for shorter solutions until the best solution is proved optimal. */
  async #prove(solver: Solver, board: string, first: Found, signal: AbortSignal): Promise<Found> {
    this.#isProving = true;
    const length = first.length ?? Infinity;
    const end = new AbortController();
    const abort = () => end.abort();
    signal.addEventListener("abort", abort);
    let proof: SearchProgress | null = null;
    const onProgress = (progress: SearchProgress) => {
      if (signal.aborted || proof) return;
      this.#hear(progress, first.bound);
      if (progress.bound < length) return;
      proof = progress;
      abort();
    };
    // TypeScript ignores that `onProgress` sets `proof`, and would treat `proof` as always `null`
    // below. Reading it through a function prevents this.
    const proved = (): SearchProgress | null => proof;
    try {
      return await solver.solve(board, { mode: "optimal", signal: end.signal, onProgress });
    } catch (error) {
      const last = proved();
      if (!last) throw error;
      const { nodes, ms } = last;
      return { ...first, nodes, ms, bound: length, proved: true };
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  /** `known` is a bound that was proved before this search. */
  #hear(progress: SearchProgress, known = 0): void {
    const { mode } = this;
    this.live = { ...progress, bound: Math.max(progress.bound, known) };
    if (mode === "optimal") {
      this.#growth.hear(progress);
      if (progress.ms > FORECAST_AFTER && progress.bound > 0) {
        this.forecast = this.#growth.forecast(this.#best?.length) ?? "soon";
      }
    }
    const now = performance.now();
    if (this.isQuiet || now - this.#announced < ANNOUNCE_EVERY) return;
    this.#announced = now;
    const { solve } = text;
    const best = this.#best?.length;
    const start = best === undefined ? solve.searching : solve.bestSoFar(movesText(best));
    const bound = progress.bound > 0 ? ` ${solve.noneShorter(movesText(this.live.bound))}` : "";
    announce(start + bound);
  }

  /** The length of the best solution of a running search. */
  get bestLength(): number | undefined {
    if (this.phase !== "search") return undefined;
    return this.live?.best?.length ?? this.#playback.solution?.report.length;
  }

  /** Handles a better solution, found while the search continues. */
  #improve(report: Found, isQuiet: boolean): void {
    const question = this.#question;
    if (!question || !this.#isHere(question)) return;
    const isFirst = this.#best === null;
    this.#best = report;
    // The first solutions of an automatic search are worse than the solution that the player left.
    if (isQuiet) return;
    if (isFirst) this.#playback.begin(solutionOf(question, report));
    else this.#playback.improve(solutionOf(question, report));
  }

  #take(question: Question, found: Found, isQuiet: boolean): void {
    const { first, solution: left } = this.#playback;
    let report = found;
    let detour: number | undefined;
    if (isQuiet && first && left) {
      const known = wayBack(left, question.prefix);
      if (known !== null && question.metric === "single" && known.length < (found.length ?? 0)) {
        const { steps: _, ...rest } = left.report;
        report = { ...rest, moves: known, length: known.length, bound: found.bound };
      }
      const made = question.prefix.length - first.prefix.length;
      const longer = made + (report.length ?? 0) - (first.report.length ?? 0);
      if (question.metric === "single" && made >= 0) detour = longer;
      this.#playback.extend({ ...solutionOf(question, report), longer: detour });
      return;
    }
    const solution = solutionOf(question, report);
    this.solutions = report.solutions ?? [];
    this.chosen = 0;
    if (this.#best && first) this.#playback.improve(solution);
    else this.#playback.begin(solution);
    // The moves that the player made during the search may not be on the path of the better
    // solution. Another search then starts from the current board.
    if (this.#isProving && this.#playback.index === null) this.follow();
    announce(text.solve.solved(outcomeOf(report).text));
  }

  #fail(error: unknown, isQuiet: boolean): void {
    // The error of an automatic search is not shown. If the visitor presses "Solve", the next
    // search shows its error.
    if (isQuiet) return;
    const { live } = this;
    const failure = pageError(error);
    if (isCancelled(error)) this.#ending = () => outcomeWithout(text.solve.cancelled, live);
    else if (failure.code === "limit") {
      this.#ending = () => outcomeWithout(text.solve.limit, live);
    } else this.#ending = () => ({ tone: "bad", text: failure.text, detail: "" });
    announce(this.#ending().text);
  }

  /** Keeps the best solution of a stopped search, with the bound that was proved until then. */
  #keepBest(why: "stopped" | "stoppedByPlayer", best: Found, live: SearchProgress | null): void {
    this.#stop = why;
    const { solution } = this.#playback;
    if (!solution || !live) return;
    const bound = Math.max(best.bound ?? 0, live.bound);
    const proved = bound >= (best.length ?? 0);
    const report = { ...best, bound, proved, ms: live.ms, nodes: live.nodes };
    this.#playback.improve({ ...solution, report });
  }

  #clear(): void {
    this.#ending = null;
    this.#stop = undefined;
    this.solutions = [];
  }

  #drop(): void {
    clearTimeout(this.#rest);
    this.#task.drop();
    this.#end();
  }

  #end(): void {
    this.phase = "idle";
    this.isQuiet = false;
    this.live = null;
    this.forecast = null;
    this.#best = null;
    this.#isProving = false;
  }
}

export const search = new Search(solvers, game, playback);

/** Observes the game from now on, even if no panel shows the search. */
export function followGame(): () => void {
  // A solution restored after a reload has its own metric.
  if (playback.solution) solvers.metric = playback.solution.metric;
  return $effect.root(() => {
    $effect(() => {
      void [game.moves, game.start, game.goal, solvers.metric];
      untrack(() => search.follow());
    });
    $effect(() => {
      if (panel.dialog !== null || panel.open !== "solve") untrack(() => playback.pause());
    });
    // Marks the next tile of a solution while nothing moves.
    $effect(() => {
      const { next } = playback;
      if (!next || playback.isPlaying || panel.open !== "solve") return;
      const mark = `hint ${next.moves.charAt(0) as Way}` as const;
      // A hint has its own marks, which stay when this panel closes.
      const tiles = untrack(() => next.tiles.filter((tile) => !marks.tiles.has(tile)));
      for (const tile of tiles) marks.tiles.set(tile, mark);
      return () => {
        for (const tile of tiles) marks.tiles.delete(tile);
      };
    });
  });
}
