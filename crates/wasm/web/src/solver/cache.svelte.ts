/**
 * The solver for the current size, goal and tables: made on demand or ahead of time, kept while
 * they stay, and for a while after that. What the page shows of it is read from `current`, which
 * depends on what the board is now, so nothing of an older goal can be shown for a newer one.
 */
import { createSolver, type Metric, type Solver, type TableSource } from "sliding-tile-pdb";
import { load, save } from "../common/store.ts";
import { game } from "../game/game.svelte.ts";
import { NO_TABLES, defaultPartition, isBuiltAhead, isProvable } from "./choice.ts";
import { Entry, type Maker, type Request } from "./entry.svelte.ts";
import { isCancelled } from "./error.ts";

/** State of the game that the cache reads. */
export interface SolverGame {
  readonly size: string;
  readonly goalText: string;
}

/** Tables chosen by the visitor for a size and metric. */
export interface Choice {
  partition: string | undefined;
  source: TableSource;
  /** A name for the source, for people: a file's or an address. */
  origin: string;
}

/** Solvers kept, the current one among them. */
const KEPT = 3;
/** Solvers with more memory than this are kept only while they are the current one. */
const MEMORY_KEPT = 128 * 1024 * 1024;

export class SolverCache {
  metric = $state<Metric>("single");

  #game: SolverGame;
  #make: Maker;
  /** Most recently used first. */
  #entries = $state.raw<readonly Entry[]>([]);
  #choices = $state.raw<ReadonlyMap<string, Choice>>(new Map());
  /** Tables that the package chose by itself, by size and metric. */
  #usual = $state.raw<ReadonlyMap<string, string>>(new Map());
  #sources = new WeakMap<object, number>();
  #sourceCount = 0;

  #onChoice: (kept: Record<string, string>) => void;
  /** Ends the building of tables of other goal cells. */
  #stopOtherGoals: () => void = () => undefined;

  /** `kept` is what `onChoice` was given in an earlier visit, or anything. */
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

  /** The visitor's choice for this size and metric; `null`: none. */
  get choice(): Choice | null {
    return this.#choices.get(this.#place) ?? null;
  }

  /** The partition's name that the current choice or the default has, where it has one. */
  get partition(): string | undefined {
    return this.#request.partition;
  }

  /** The partition of this size and metric where nothing is chosen, once it was made. */
  get usual(): string | undefined {
    return defaultPartition(this.#game.size, this.metric) ?? this.#usual.get(this.#place);
  }

  /** The solver of the present size, goal and tables, where it was asked for. */
  get current(): Entry | null {
    const { key } = this.#request;
    return this.#entries.find((entry) => entry.request.key === key) ?? null;
  }

  /** All that are kept, the most recently used first. */
  get entries(): readonly Entry[] {
    return this.#entries;
  }

  get memory(): number {
    return this.#entries.reduce((sum, entry) => sum + entry.memory, 0);
  }

  /** The present solver, made if need be. Fails as making it does, and if it is given up. */
  async solver(): Promise<Solver> {
    this.#stopOtherGoals();
    return this.#entry(this.#request).ready;
  }

  /**
   * A solver for work that needs no tables: the present one if it is ready, else one without
   * tables, which takes but a moment.
   */
  async solverAtOnce(): Promise<Solver> {
    this.#stopOtherGoals();
    const ready = this.current?.solver;
    if (ready) return ready;
    return this.#entry(this.#requestOf({ partition: NO_TABLES, source: "none", origin: "" })).ready;
  }

  /** Makes the present solver, if that is a matter of moments, so that it is there when asked for. */
  prepare(): void {
    // The chosen tables may take long: they are made when they are needed.
    if (this.current !== null || this.choice !== null || !isBuiltAhead(this.#game.size)) return;
    if (this.#request.source === "build") this.#entry(this.#request);
  }

  /**
   * Once the browser is idle, builds what the present solver needs to search boards from their
   * goals, too. To be called after an answer; the next question ends it.
   */
  openOtherGoals(): void {
    this.#stopOtherGoals();
    const { current, metric } = this;
    // On larger trays tables would take more memory, and proofs are rare.
    if (!current?.solver || !isProvable(this.#game.size, metric)) return;
    const abort = new AbortController();
    const cancel = whenIdle(() => void current.openOtherGoals(abort.signal));
    this.#stopOtherGoals = () => {
      cancel();
      abort.abort();
    };
  }

  /** Chooses tables for this size; `null`: the default. They are made when next asked for. */
  choose(choice: Choice | null): void {
    const choices = new Map(this.#choices);
    if (choice === null) choices.delete(this.#place);
    else choices.set(this.#place, choice);
    this.#setChoices(choices);
  }

  /**
   * Makes a solver with other tables, and makes them the choice if that succeeds. The present
   * solver stays until then, and where it fails or is cancelled.
   */
  async load(choice: Choice, onEntry?: (entry: Entry) => void): Promise<void> {
    const place = this.#place;
    const request = this.#requestOf(choice);
    const known = this.#entries.find((entry) => entry.request.key === request.key);
    const entry = known?.solver ? known : new Entry(request, this.#make);
    onEntry?.(entry);
    try {
      await entry.ready;
    } catch (error) {
      entry.close();
      throw error;
    }
    this.#setChoices(new Map(this.#choices).set(place, choice));
    this.#keep(entry);
  }

  /** Gives up making the present solver. */
  cancel(): void {
    const { current } = this;
    if (current?.isMaking) this.#drop(current);
  }

  /** Frees a solver's tables. Where they were chosen, the size gets its usual ones again. */
  forget(entry: Entry): void {
    const isChosen = entry === this.current && this.choice !== null;
    this.#drop(entry);
    if (isChosen) this.choose(null);
  }

  #setChoices(choices: ReadonlyMap<string, Choice>): void {
    this.#choices = choices;
    this.#onChoice(keptOf(choices));
  }

  get #place(): string {
    return `${this.#game.size} ${this.metric}`;
  }

  get #request(): Request {
    return this.#requestOf(this.choice);
  }

  #requestOf(choice: Choice | null): Request {
    const { size, goalText: goal } = this.#game;
    const { metric } = this;
    const partition = choice ? choice.partition : defaultPartition(size, metric);
    const source = choice ? choice.source : partition === NO_TABLES ? "none" : "build";
    const key = [size, goal, metric, partition ?? "", this.#nameOf(source)].join("|");
    return { key, size, goal, metric, partition, source };
  }

  /** A name by which sources are told apart; bytes by who they are, not by what is in them. */
  #nameOf(source: TableSource): string {
    if (typeof source === "string") return source;
    if (source instanceof URL) return source.href;
    let number = this.#sources.get(source);
    if (number === undefined) {
      number = ++this.#sourceCount;
      this.#sources.set(source, number);
    }
    return `bytes ${number}`;
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
    const isUsual = request.partition === undefined && request.source === "build";
    entry.ready.then(
      ({ partition }) => {
        if (isUsual) this.#usual = new Map(this.#usual).set(place, partition);
      },
      (error: unknown) => {
        if (isCancelled(error)) this.#drop(entry);
        // A bundle of an earlier visit: the next try is without it, the next visit with it.
        else if (request.source instanceof URL) {
          this.#choices = new Map([...this.#choices].filter(([each]) => each !== place));
        }
      },
    );
    return entry;
  }

  /**
   * Puts it first, and closes those that are too many, too large, or no longer worth making. It
   * may be for an older board: what the present one has stays.
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

/** Marks a kept choice as the address of a bundle. */
const ADDRESS = "address ";

/** Choices that need no file: partitions and addresses of bundles, by size and metric. */
function keptOf(choices: ReadonlyMap<string, Choice>): Record<string, string> {
  const own = [...choices].flatMap(([place, { partition, source, origin }]) => {
    if (source instanceof URL) return [[place, ADDRESS + source.href]];
    return origin === "" ? [[place, partition ?? ""]] : [];
  });
  return Object.fromEntries(own) as Record<string, string>;
}

function choicesOf(kept: unknown): ReadonlyMap<string, Choice> {
  if (typeof kept !== "object" || kept === null) return new Map();
  const named = Object.entries(kept).filter(([, name]) => typeof name === "string" && name !== "");
  return new Map(
    named.map(([place, partition]: [string, string]): [string, Choice] => {
      const address = partition.startsWith(ADDRESS) && partition.slice(ADDRESS.length);
      if (address && URL.canParse(address)) {
        return [place, { partition: undefined, source: new URL(address), origin: address }];
      }
      const source = partition === NO_TABLES ? "none" : "build";
      return [place, { partition, source, origin: "" }];
    }),
  );
}

export const solvers = new SolverCache(game, createSolver, load("partitions"), (kept) =>
  save("partitions", kept),
);

/** Milliseconds until idle work begins where the browser does not say when it is idle. */
const IDLE = 200;

/** Does work once the browser is idle. Returns what calls it off. */
function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback === "function") {
    const handle = requestIdleCallback(work, { timeout: 1000 });
    return () => cancelIdleCallback(handle);
  }
  const handle = setTimeout(work, IDLE);
  return () => clearTimeout(handle);
}

let isPreparing = false;

/**
 * Keeps a solver for the present board ready from now on, without getting in the way of the first
 * paint. Further calls do nothing.
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
