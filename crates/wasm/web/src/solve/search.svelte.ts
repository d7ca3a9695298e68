/**
 * The search for a solution of the board: what is asked for, how far it is, how it ended. Answers
 * are taken only while the game stands where it stood when they were asked for.
 */
import { untrack } from "svelte";
import type { Mode, Report, SearchProgress, Solver } from "sliding-tile-pdb";
import { announce } from "../common/announce.svelte.ts";
import { defaultMode, isProvable } from "../solver/choice.ts";
import { solvers, type SolverCache } from "../solver/cache.svelte.ts";
import { pageError, isCancelled } from "../solver/error.ts";
import { Task } from "../solver/task.svelte.ts";
import { game } from "../game/game.svelte.ts";
import { type Outcome, outcomeOf, outcomeOfEntered, outcomeWithout } from "./outcome.ts";
import { type PlayedGame, type Playback, gameKey, playback } from "./playback.svelte.ts";
import { type Question, solutionOf, wayBack } from "./solution.ts";

interface SearchGame extends PlayedGame {
  readonly tiles: readonly number[];
  readonly text: string;
  readonly size: string;
}

/** Milliseconds after the player's last move until a way is looked for anew. */
const REST = 120;
/** Milliseconds that a quiet search may take. */
const QUIET_TIME = 15_000;
/** Milliseconds for a first solution where the proof may take hours. */
const FIRST_TIME = 500;
/** The most solutions that are written down. */
const MOST_SOLUTIONS = 1000;
/** Milliseconds between two announcements of progress. */
const ANNOUNCE_EVERY = 4000;

export class Search {
  /** Seconds that an anytime search may take. */
  seconds = $state(5);
  /** Whether all shortest solutions are looked for. */
  isAll = $state(false);
  phase = $state<"idle" | "tables" | "search">("idle");
  /** Whether the running search follows the player, without having been asked for. */
  isQuiet = $state(false);
  live = $state.raw<SearchProgress | null>(null);
  /** How a search ended that left no solution to play. */
  #ending = $state.raw<Outcome | null>(null);
  /** Why a search ended early that left one. */
  #stop = $state<string | undefined>();
  /** All solutions, as far as they are written down, and which of them is played. */
  solutions = $state.raw<readonly string[]>([]);
  chosen = $state(0);

  #modes = $state.raw<ReadonlyMap<string, Mode>>(new Map());
  #solvers: SolverCache;
  #game: SearchGame;
  #playback: Playback;
  #task = new Task();
  #question: Question | null = null;
  #best: Report | null = null;
  #rest: ReturnType<typeof setTimeout> | undefined;
  #announced = 0;

  constructor(solvers: SolverCache, game: SearchGame, playback: Playback) {
    this.#solvers = solvers;
    this.#game = game;
    this.#playback = playback;
  }

  get mode(): Mode {
    return this.#modes.get(this.#game.size) ?? defaultMode(this.#game.size, this.#solvers.metric);
  }

  set mode(mode: Mode) {
    this.#modes = new Map(this.#modes).set(this.#game.size, mode);
  }

  /** What became of the last search, as far as it holds for the board now. */
  get outcome(): Outcome | null {
    const { solution } = this.#playback;
    if (this.#ending || !solution) return this.#ending;
    if (solution.entered) {
      const { index } = this.#playback;
      return outcomeOfEntered(solution.ends.length, solution.entered, index === 0);
    }
    return outcomeOf(solution.report, { way: solution.way, end: this.#stop });
  }

  get isBusy(): boolean {
    return this.phase !== "idle";
  }

  /** Forgets what was found: another question is asked from now on. */
  reset(): void {
    this.#drop();
    this.#clear();
    this.#playback.clear();
  }

  /** Looks for a solution; `isQuiet`: because the player left the one that is played. */
  async solve(isQuiet = false): Promise<void> {
    clearTimeout(this.#rest);
    const question = this.#ask();
    const { mode } = this;
    if (!isQuiet) {
      this.#playback.clear();
      this.#clear();
    }
    this.#best = null;
    this.#question = question;
    this.#announced = performance.now();
    try {
      const report = await this.#task.run(async (signal) => {
        this.phase = "tables";
        this.isQuiet = isQuiet;
        this.live = null;
        const solvers = this.#solvers;
        const solver = await (mode === "strategic" ? solvers.solverAtOnce() : solvers.solver());
        signal.throwIfAborted();
        this.phase = "search";
        return this.#search(solver, signal, isQuiet);
      });
      if (report !== undefined && this.#isHere(question)) this.#take(question, report, isQuiet);
      if (report !== undefined) this.#solvers.openOtherGoals();
    } catch (error) {
      this.#fail(error, isQuiet);
    }
    if (!this.#task.busy) this.#end();
  }

  /** Gives up at once. The best solution so far stays. */
  cancel(): void {
    if (!this.isBusy) return;
    const { live, phase, isQuiet } = this;
    const best = this.#best;
    this.#drop();
    if (phase === "tables") this.#solvers.cancel();
    if (isQuiet) return;
    if (best) this.#keepBest("Stopped.", best, live);
    else this.#ending = outcomeWithout("Cancelled.", live);
    announce(this.outcome?.text ?? "Cancelled.");
  }

  /** To be called after every change of the game. */
  follow(): void {
    const where = this.#playback.follow();
    const isAside = this.#question !== null && !this.#isHere(this.#question);
    if (this.isBusy && isAside) {
      const best = this.#best;
      const { isQuiet, live } = this;
      this.#drop();
      if (best && where === "on" && !isQuiet)
        this.#keepBest("Stopped, since you played on.", best, live);
    }
    if (where === "over") {
      if (isAside) {
        this.#clear();
        this.#question = null;
      }
    } else if (where === "off" && !this.#game.isSolved) {
      this.#clear();
      clearTimeout(this.#rest);
      // Entered moves that do not lead to the goal: nobody asked for a solution.
      if (this.#playback.solution?.entered?.solves === false) return;
      this.#rest = setTimeout(() => {
        if (this.#playback.follow() === "off" && !this.isBusy) void this.solve(true);
      }, REST);
    }
  }

  /** Plays another of all solutions. */
  choose(index: number): void {
    const { first } = this.#playback;
    const moves = this.solutions[index];
    if (!first || moves === undefined) return;
    this.chosen = index;
    if (this.#playback.index !== null) this.#playback.seek(0);
    this.#playback.begin(solutionOf(first, { ...first.report, moves }));
  }

  #ask(): Question {
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

  async #search(solver: Solver, signal: AbortSignal, isQuiet: boolean): Promise<Report> {
    const { text: board } = this.#game;
    const { mode } = this;
    const onProgress = (progress: SearchProgress) => {
      if (!signal.aborted) this.#hear(progress);
    };
    if (mode === "optimal" && !isQuiet && !isProvable(this.#game.size, solver.metric)) {
      // The proof can take hours: until then, and when it is cancelled, this one can be played.
      const first = await solver.solve(board, { mode: "anytime", maxTime: FIRST_TIME, signal });
      if (first.proved && !this.isAll) return first;
      if (!signal.aborted) this.#improve(first, isQuiet);
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

  #hear(progress: SearchProgress): void {
    this.live = progress;
    const now = performance.now();
    if (this.isQuiet || now - this.#announced < ANNOUNCE_EVERY) return;
    this.#announced = now;
    const best = this.#best?.length;
    announce(
      (best === undefined ? "Searching." : `Best so far: ${best} moves.`) +
        ` No solution is shorter than ${progress.bound}.`,
    );
  }

  /** A better solution of a search that goes on: it can be played already. */
  #improve(report: Report, isQuiet: boolean): void {
    const question = this.#question;
    if (!question || !this.#isHere(question)) return;
    const isFirst = this.#best === null;
    this.#best = report;
    // A quiet search begins with worse solutions than the one the player has just left.
    if (isQuiet) return;
    if (isFirst) this.#playback.begin(solutionOf(question, report));
    else this.#playback.improve(solutionOf(question, report));
  }

  #take(question: Question, found: Report, isQuiet: boolean): void {
    const { first, solution: left } = this.#playback;
    let report = found;
    let way: string | undefined;
    if (isQuiet && first && left) {
      const known = wayBack(left, question.prefix);
      if (known !== null && question.metric === "single" && known.length < (found.length ?? 0)) {
        const { steps: _, ...rest } = left.report;
        report = { ...rest, moves: known, length: known.length, bound: found.bound };
      }
      const made = question.prefix.length - first.prefix.length;
      const longer = made + (report.length ?? 0) - (first.report.length ?? 0);
      if (question.metric === "single" && made >= 0) way = detourText(longer);
      this.#playback.extend({ ...solutionOf(question, report), way });
      return;
    }
    const solution = solutionOf(question, report);
    this.solutions = report.solutions ?? [];
    this.chosen = 0;
    if (this.#best && first) this.#playback.improve(solution);
    else this.#playback.begin(solution);
    announce(`Solved: ${outcomeOf(report).text}`);
  }

  #fail(error: unknown, isQuiet: boolean): void {
    // A quiet search that fails leaves the button "Solve", which says why when it is pressed.
    if (isQuiet) return;
    if (isCancelled(error)) {
      this.#ending = outcomeWithout("Cancelled.", this.live);
    } else {
      const failure = pageError(error);
      this.#ending =
        failure.code === "limit"
          ? outcomeWithout("No solution was found in that time.", this.live)
          : { tone: "bad", text: failure.text, detail: "" };
    }
    announce(this.#ending.text);
  }

  /** The best solution of a search that was ended, with all that was proved by then. */
  #keepBest(why: string, best: Report, live: SearchProgress | null): void {
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
    this.#best = null;
  }
}

function detourText(longer: number): string {
  if (longer === 0) return "Your way is as short.";
  return longer > 0 ? `Your way is ${longer} longer.` : `Your way is ${-longer} shorter.`;
}

export const search = new Search(solvers, game, playback);

/** Follows the game from now on, whether or not a panel shows it. */
export function followGame(): () => void {
  // A solution that a reload kept has its metric.
  if (playback.solution) solvers.metric = playback.solution.metric;
  return $effect.root(() => {
    $effect(() => {
      void [game.moves, game.start, game.goal, solvers.metric];
      untrack(() => search.follow());
    });
  });
}
