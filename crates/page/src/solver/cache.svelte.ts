/**
 * The solver for the current size, goal and tables. It is created on demand or in advance, and
 * remains cached for a while after size, goal or tables change. The page shows only `current`, the
 * solver for the current goal, and never the state of a solver for an earlier goal.
 */
import { createSolver, type Metric, type Solver } from "sliding-tile-pdb";
import { load, save, whenIdle } from "../common/browser.ts";
import { game, type Game } from "../game/game.svelte.ts";
import { NO_TABLES, defaultPartition, isBuiltAhead, isProvable } from "./choice.ts";
import { Entry, type Maker, type Request } from "./entry.svelte.ts";
import { isCancelled } from "./error.ts";

/** The state of the game that the cache reads. */
type SolverGame = Pick<Game, "size" | "goalText">;

/** Maximum number of cached solvers, including the current one. */
const KEPT = 3;
/** Bytes of memory above which a solver is cached only while it is current. */
const MEMORY_KEPT = 128 * 1024 * 1024;

export class SolverCache {
  metric = $state<Metric>("single");

  #game: SolverGame;
  #make: Maker;
  /** Most recently used first. */
  #entries = $state.raw<readonly Entry[]>([]);
  /** Partitions chosen by the visitor, by size and metric. */
  #choices = $state.raw<ReadonlyMap<string, string>>(new Map());
  /** The solver with newly chosen tables, until they are ready. */
  loading = $state.raw<Entry | null>(null);
  /** Default tables that the package chose, by size and metric. */
  #usual = $state.raw<ReadonlyMap<string, string>>(new Map());
  #onChoice: (kept: Record<string, string>) => void;
  /** Stops building tables of other goal cells. */
  #stopOtherGoals: () => void = () => undefined;

  /**
   * `kept` contains the choices that `onChoice` received in an earlier visit. Invalid values are
   * ignored.
   */
  constructor(
    game: SolverGame,
    make: Maker,
    kept: unknown = null,
    onChoice: (kept: Record<string, string>) => void = () => undefined,
  ) {
    this.#game = game;
    this.#make = make;
    this.#onChoice = onChoice;
    this.#choices = choicesOf(kept);
  }

  /** The visitor's choice for the current size and metric; `null` without a choice. */
  get choice(): string | null {
    return this.#choices.get(this.#place) ?? null;
  }

  /** The name of the chosen or default partition; `undefined` if the package chooses it. */
  get partition(): string | undefined {
    return this.#request.partition;
  }

  /** The default partition of the current size and metric; `undefined` until it has been chosen. */
  get usual(): string | undefined {
    return defaultPartition(this.#game.size, this.metric) ?? this.#usual.get(this.#place);
  }

  /** The solver of the current size, goal and tables, if it was requested. */
  get current(): Entry | null {
    const { key } = this.#request;
    return this.#entries.find((entry) => entry.request.key === key) ?? null;
  }

  /** All cached solvers, most recently used first. */
  get entries(): readonly Entry[] {
    return this.#entries;
  }

  /** The current solver, created if necessary. Rejects if creating it fails or is cancelled. */
  async solver(): Promise<Solver> {
    this.#stopOtherGoals();
    return this.#entry(this.#request).ready;
  }

  /**
   * A solver for work that needs no tables: the current solver if it is ready, otherwise a solver
   * without tables, which is ready quickly.
   */
  async solverAtOnce(): Promise<Solver> {
    this.#stopOtherGoals();
    const ready = this.current?.solver;
    if (ready) return ready;
    return this.#entry(this.#requestOf(NO_TABLES)).ready;
  }

  /** Creates the current solver in advance, if that is quick. */
  prepare(): void {
    // Building chosen tables can take long, so they are built when a search needs them.
    if (this.current !== null || this.choice !== null || !isBuiltAhead(this.#game.size)) return;
    if (this.#request.partition !== NO_TABLES) this.#entry(this.#request);
  }

  /**
   * Once the browser is idle, builds the tables with which the current solver can also search from
   * the goal. Call this after an answer; the next request stops the build.
   */
  openOtherGoals(): void {
    this.#stopOtherGoals();
    const { current, metric } = this;
    // On larger trays, tables of other goal cells need much memory, and few solutions can be proved
    // optimal.
    if (!current?.solver || !isProvable(this.#game.size, metric)) return;
    const abort = new AbortController();
    const cancel = whenIdle(() => void current.openOtherGoals(abort.signal));
    this.#stopOtherGoals = () => {
      cancel();
      abort.abort();
    };
  }

  /** Chooses tables for the current size; `null`: the default. The next request builds them. */
  choose(partition: string | null): void {
    this.#setChoice(this.#place, partition);
  }

  /**
   * Creates a solver with the tables of a partition. If that succeeds, these tables become the
   * visitor's choice. Until then, and after a failure or cancellation, the current solver stays.
   */
  async load(partition: string): Promise<void> {
    const place = this.#place;
    const request = this.#requestOf(partition);
    const known = this.#entries.find((entry) => entry.request.key === request.key);
    const entry = known?.solver ? known : new Entry(request, this.#make);
    this.loading?.close();
    this.loading = entry;
    try {
      await entry.ready;
    } catch (error) {
      entry.close();
      throw error;
    } finally {
      if (this.loading === entry) this.loading = null;
    }
    this.#setChoice(place, partition);
    this.#keep(entry);
  }

  /** Cancels creating a solver. */
  cancel(): void {
    this.loading?.close();
    const { current } = this;
    if (current?.isMaking) this.#drop(current);
  }

  #setChoice(place: string, partition: string | null): void {
    const choices = new Map(this.#choices);
    if (partition === null) choices.delete(place);
    else choices.set(place, partition);
    this.#choices = choices;
    this.#onChoice(Object.fromEntries(choices));
  }

  get #place(): string {
    return `${this.#game.size} ${this.metric}`;
  }

  get #request(): Request {
    return this.#requestOf(this.choice);
  }

  #requestOf(choice: string | null): Request {
    const { size, goalText: goal } = this.#game;
    const { metric } = this;
    const partition = choice ?? defaultPartition(size, metric);
    const key = [size, goal, metric, partition ?? ""].join("|");
    return { key, size, goal, metric, partition };
  }

  #entry(request: Request): Entry {
    const known = this.#entries.find((entry) => entry.request.key === request.key);
    if (known && known.failure === null) {
      this.#keep(known);
      return known;
    }
    if (known) this.#drop(known);
    const entry = new Entry(request, this.#make);
    this.#keep(entry);
    const place = this.#place;
    const isUsual = request.partition === undefined;
    entry.ready.then(
      ({ partition }) => {
        if (isUsual) this.#usual = new Map(this.#usual).set(place, partition);
      },
      (error: unknown) => {
        if (isCancelled(error)) this.#drop(entry);
      },
    );
    return entry;
  }

  /**
   * Moves `entry` to the front. Closes every other entry that exceeds `KEPT` or `MEMORY_KEPT`, that
   * failed, or whose solver is still being created for another goal. The entry of the current
   * request is never closed.
   */
  #keep(entry: Entry): void {
    const { key, goal } = this.#request;
    const others = this.#entries.filter((other) => other !== entry);
    const kept = [entry];
    for (const other of others) {
      const isPresent = other.request.key === key && entry.request.key !== key;
      const isWorth = other.isMaking ? other.request.goal === goal : other.memory <= MEMORY_KEPT;
      const isKept = kept.length < KEPT && isWorth && other.failure === null;
      if (isPresent || isKept) kept.push(other);
      else other.close();
    }
    const isUnchanged =
      kept.length === this.#entries.length && kept.every((each, i) => each === this.#entries[i]);
    if (!isUnchanged) this.#entries = kept;
  }

  #drop(entry: Entry): void {
    entry.close();
    this.#entries = this.#entries.filter((other) => other !== entry);
  }
}

function choicesOf(kept: unknown): ReadonlyMap<string, string> {
  if (typeof kept !== "object" || kept === null) return new Map();
  const isName = (entry: [string, unknown]): entry is [string, string] =>
    typeof entry[1] === "string" && entry[1] !== "";
  return new Map(Object.entries(kept).filter(isName));
}

export const solvers = new SolverCache(game, createSolver, load("partitions"), (kept) =>
  save("partitions", kept),
);

let isPreparing = false;

/**
 * Keeps a solver for the current board ready from now on, without delaying the first paint. Further
 * calls do nothing.
 */
export function prepareWhenIdle(): void {
  if (isPreparing) return;
  isPreparing = true;
  $effect.root(() => {
    $effect(() => {
      void [game.size, game.goalText, solvers.metric];
      return whenIdle(() => solvers.prepare());
    });
  });
}
