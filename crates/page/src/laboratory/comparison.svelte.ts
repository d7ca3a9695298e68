import { createLaboratory } from "sliding-tile-pdb";
import type { CompareOptions, ComparisonRecord, Laboratory, Plot } from "sliding-tile-pdb";
import type { PlotOptions } from "sliding-tile-pdb";
import { isCancelled, pageError, sentence } from "../solver/error.ts";
import { text } from "../text/text.svelte.ts";
import { boardText, isSide, ordered, swapped } from "sliding-tile-pdb/board-rules";
import { heuristicNames, isBlind, isDatabase, searchNames } from "./names.ts";
import { long } from "../common/format.ts";

/** A worker with heuristics, created on first use. */
export class Bench {
  #laboratory: Promise<Laboratory> | null = null;
  #make: () => Promise<Laboratory>;

  constructor(make: () => Promise<Laboratory> = () => createLaboratory()) {
    this.#make = make;
  }

  get(): Promise<Laboratory> {
    if (this.#laboratory === null) {
      const made = this.#make();
      this.#laboratory = made;
      // After a failure, the next call tries again.
      made.catch(() => {
        if (this.#laboratory === made) this.#laboratory = null;
      });
    }
    return this.#laboratory;
  }

  /** Ends the worker and frees its memory. */
  close(): void {
    const made = this.#laboratory;
    this.#laboratory = null;
    made?.then(
      (laboratory) => laboratory.close(),
      () => undefined,
    );
  }
}

/** Source of the boards. */
export type Boards = "uniform" | "walks";

/** The choice of the best pattern database that every search of a size can use. */
export const DATABASE = "database";

export interface Plan {
  /** One call of the package per size, since sizes have different heuristics. */
  calls: CompareOptions[];
  runs: number;
}

/** Maximum number of searches: the page's memory has room for their records. */
export const mostRuns = 40_000;

/** The smallest and the largest value of each number. */
export const ranges = {
  number: [1, 5000],
  maxNodes: [1, 1e12],
  maxMemory: [1, 3000],
  maxTime: [0.001, 3600],
  seed: [0, Number.MAX_SAFE_INTEGER],
} as const;
const numbers = Object.keys(ranges) as (keyof typeof ranges)[];

/** Whether a value is in its range. Only the limit of time may be a fraction, or absent. */
function isInRange(name: keyof typeof ranges, value: number | null): boolean {
  if (value === null) return name === "maxTime";
  const [least, most] = ranges[name];
  return value >= least && value <= most && (name === "maxTime" || Number.isInteger(value));
}

const listed = (isKnown: (item: string) => boolean) => (text: string) =>
  text.split(",").filter(isKnown);

/** Readers of the settings in a link; `undefined` for a number outside its range. */
const settings: Record<string, (text: string) => unknown> = {
  sizes: listed((size) => /^\d+x\d+$/.test(size) && size.split("x").map(Number).every(isSide)),
  boards: (text) => (text === "walks" ? text : "uniform"),
  moves: String,
  heuristics: listed((name) => name === DATABASE || heuristicNames().includes(name)),
  others: String,
  searches: listed((name) => searchNames().includes(name)),
};
for (const name of numbers) {
  settings[name] = (text) => [text ? Number(text) : null].find((value) => isInRange(name, value));
}

/**
 * Options, progress and results of a comparison of searches and heuristics. A running comparison
 * continues while the panel is closed. Its results stay until the next comparison starts.
 */
export class Comparison {
  boards = $state<Boards>("uniform");
  sizes = $state<string[]>(["3x3"]);
  /** Names of heuristics, and `DATABASE`. */
  heuristics = $state<string[]>(["misplaced", "manhattan", "linear-conflict", DATABASE]);
  /** Names of further heuristics, separated by commas. */
  others = $state("");
  searches = $state<string[]>(["astar"]);
  number = $state<number | null>(200);
  /** With these numbers, all searches of the first comparison on 4x4 find a solution. */
  moves = $state("10, 15, 20, 25");
  seed = $state<number | null>(1);
  maxNodes = $state<number | null>(1_000_000);
  /** Memory limit of a search, in megabytes. */
  maxMemory = $state<number | null>(256);
  /** The reason why a size lacks one of the further heuristics. */
  refusal = $state<string | null>(null);
  /** Time limit of a search, in seconds. Without a time limit, results are reproducible. */
  maxTime = $state<number | null>(null);

  /** Names of the available heuristics, by size. */
  known = $state.raw<ReadonlyMap<string, readonly string[]>>(new Map());
  records = $state.raw<readonly ComparisonRecord[]>([]);
  running = $state(false);
  finished = $state(0);
  runs = $state(0);
  /** Milliseconds since the start. */
  elapsed = $state(0);
  failure = $state<string | null>(null);
  cancelled = $state(false);

  #bench: Bench;
  #abort: AbortController | null = null;

  constructor(bench = new Bench()) {
    this.#bench = bench;
  }

  /**
   * Begins with the size on the page. On more than 12 cells, random boards are too hard for most
   * heuristics, so boards after few random moves are chosen.
   */
  begin(size: string): void {
    const [columns, rows] = size.split("x").map(Number);
    this.sizes = [size];
    this.boards = columns * rows > 12 ? "walks" : "uniform";
    this.number = this.boards === "walks" ? 20 : 200;
  }

  /** The settings as text for an address. */
  get link(): string {
    const names = Object.keys(settings) as "moves"[];
    return names.map((name) => `${name}:${this[name] ?? ""}`).join("~");
  }

  /** Takes the settings of a link; numbers outside their ranges stay as they are. */
  adopt(link: string): void {
    for (const part of link.split("~")) {
      const [name, text = ""] = part.split(/:(.*)/);
      const value = Object.hasOwn(settings, name) ? settings[name](text) : undefined;
      if (value !== undefined) Object.assign(this, { [name]: value });
    }
  }

  /** Requests the names of the heuristics for the sizes, and whether the further ones exist. */
  async learn(): Promise<void> {
    const { sizes, others } = this;
    if (this.running) return;
    const laboratory = await this.#bench.get();
    let refusal: string | null = null;
    for (const size of sizes) {
      const names = this.known.get(size) ?? (await laboratory.heuristics(size));
      this.known = new Map([...this.known, [size, names]]);
      const heuristics = namesIn(others);
      if (heuristics.length > 0) refusal ??= await refusalOf(laboratory, size, heuristics);
    }
    if (others === this.others) this.refusal = refusal;
  }

  /** The comparison to run. @throws Error with a sentence about a missing or excessive choice */
  plan(): Plan {
    const { sizes } = this;
    if (sizes.length === 0) throw new Error(text.laboratory.noSize);
    if (this.searches.length === 0) throw new Error(text.laboratory.noSearch);
    for (const name of numbers) {
      if (isInRange(name, this[name])) continue;
      const title = text.laboratory[name === "number" ? "boards" : name];
      const [least, most] = ranges[name];
      throw new Error(text.laboratory.wrong(title, long(least), long(most)));
    }
    if (this.refusal !== null) throw new Error(this.refusal);
    const [number, seed, maxNodes] = [this.number ?? 1, this.seed ?? 1, this.maxNodes ?? 1];
    const walks = this.boards === "walks" ? walksOf(this.moves) : [];
    const maxMemory = (this.maxMemory ?? 1) * 1e6;
    const limits = {
      ...{ maxNodes, maxMemory },
      ...(this.maxTime !== null && { maxTime: 1000 * this.maxTime }),
    };
    const others = namesIn(this.others);
    const blind = this.searches.filter(isBlind).length;
    let runs = 0;
    const calls = sizes.map((size): CompareOptions => {
      const known = this.known.get(size);
      const chosen = this.heuristics.flatMap((name) =>
        name === DATABASE ? (databaseOf(known ?? []) ?? []) : name,
      );
      const possible = chosen.filter((name) => !known || known.includes(name));
      const heuristics = [...new Set([...possible, ...others])];
      if (heuristics.length === 0 && blind < this.searches.length) {
        throw new Error(text.laboratory.noHeuristicOf(size));
      }
      const boards = number * Math.max(1, walks.length);
      runs += boards * (blind + (this.searches.length - blind) * heuristics.length);
      return {
        sizes: [size],
        ...{ number, seed, ...(walks.length > 0 && { moves: walks }) },
        heuristics,
        searches: [...this.searches],
        ...limits,
      };
    });
    if (runs > mostRuns) {
      throw new Error(text.laboratory.tooMany(long(runs), long(mostRuns)));
    }
    return { calls, runs };
  }

  /** Runs the comparison. The results so far stay if the comparison is cancelled or fails. */
  async run(): Promise<void> {
    if (this.running) return;
    this.failure = null;
    let plan: Plan;
    try {
      await this.learn().catch(() => undefined);
      plan = this.plan();
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
      return;
    }
    const abort = new AbortController();
    this.#abort = abort;
    this.running = true;
    this.cancelled = false;
    this.finished = 0;
    this.runs = plan.runs;
    this.elapsed = 0;
    const begin = performance.now();
    const records: ComparisonRecord[] = [];
    // The page is updated a few times per second, however many searches have finished.
    const show = () => {
      if (this.finished === records.length) return;
      this.records = [...records];
      this.finished = records.length;
      this.elapsed = performance.now() - begin;
    };
    const timer = setInterval(show, 250);
    try {
      const laboratory = await this.#bench.get();
      for (const call of plan.calls) await this.#call(laboratory, call, records, abort.signal);
    } catch (error) {
      if (isCancelled(error) || abort.signal.aborted) this.cancelled = true;
      else this.failure = pageError(error).text;
    } finally {
      clearInterval(timer);
      show();
      this.elapsed = performance.now() - begin;
      this.running = false;
      this.#abort = null;
      // Memory of WebAssembly never shrinks, so the worker is ended after large searches.
      this.#bench.close();
    }
  }

  async #call(
    laboratory: Laboratory,
    call: CompareOptions,
    records: ComparisonRecord[],
    signal: AbortSignal,
  ): Promise<void> {
    const before = records.length;
    const onRecord = (record: ComparisonRecord) => {
      if (!signal.aborted) records.push(light(record));
    };
    const all = await laboratory.compare({ ...call, signal, onRecord });
    // The returned records replace the records that were reported during the run.
    records.splice(before, Infinity, ...all.map(light));
  }

  cancel(): void {
    this.#abort?.abort();
  }
}

/** Names separated by commas. */
const namesIn = (list: string): string[] => list.split(",").flatMap((name) => name.trim() || []);

/** The reason why a size lacks one of the heuristics; `null` if it has them all. */
async function refusalOf(laboratory: Laboratory, size: string, heuristics: string[]) {
  // The package checks names, then boards, and then builds tables. Two exchanged tiles have no
  // solution, whatever the size, so the call ends before the tables are built.
  const [columns, rows] = size.split("x").map(Number);
  const boards = [boardText(swapped(ordered(columns * rows), 1, 2), columns)];
  const call = laboratory.compare({ boards, heuristics, searches: ["astar"] });
  const error = await call.then(() => null, pageError);
  if (error === null || error.code === "unsolvable") return null;
  // The reason, without the names of all heuristics.
  return sentence(error.text.replace(/^.* of \d+x\d+: ([^:]*).*/, "$1"));
}

/** Removes the iterations, which are never shown and make up most of an IDA* record. */
function light(record: ComparisonRecord): ComparisonRecord {
  const { iterations: _, ...rest } = record;
  return rest;
}

/** The pattern database of a size among its heuristics: `5-3`, or else the last one. */
const databaseOf = (known: readonly string[]): string | undefined =>
  known.find((name) => name === "5-3") ?? known.filter(isDatabase).at(-1);

/** Parses the lengths of random walks, such as "10, 30, 50". */
export function walksOf(list: string): number[] {
  const words = list.split(/[\s,;]+/).filter(Boolean);
  const walks = words.map((word) => (/^\d{1,6}$/.test(word) ? Number(word) : NaN));
  if (walks.length === 0 || walks.some(Number.isNaN)) throw new Error(text.laboratory.wrongMoves);
  return [...new Set(walks)].sort((one, other) => one - other);
}

export const comparison = new Comparison();

/** Milliseconds between two drawings during a comparison. */
const pause = 1000;
/** Maximum share of the page's time for sending records to the worker. */
const share = 0.05;

/** The records to draw, with the options of their plots. */
export interface Subject {
  records: readonly ComparisonRecord[];
  options: PlotOptions;
}

/** Draws plots in a worker of its own, because the worker of a comparison is busy with searches. */
export class Drawer {
  plots = $state.raw<readonly Plot[]>([]);
  failure = $state<string | null>(null);
  #bench: Bench;
  #next: Subject | null = null;
  #isBusy = false;

  constructor(bench = new Bench()) {
    this.#bench = bench;
  }

  /**
   * Draws the plots of `subject`, after the current drawing if there is one. A later call replaces
   * a subject that is still waiting.
   */
  async show(subject: Subject): Promise<void> {
    this.#next = subject;
    if (this.#isBusy) return;
    this.#isBusy = true;
    while (this.#next !== null) {
      const { records, options }: Subject = this.#next;
      this.#next = null;
      let wait = pause;
      try {
        const laboratory = await this.#bench.get();
        const begin = performance.now();
        const drawn = laboratory.plots(records, options);
        // The call blocks the page while it copies the records. The worker then draws without
        // blocking the page.
        wait = Math.max(pause, (performance.now() - begin) / share);
        this.plots = await drawn;
        this.failure = null;
      } catch (error) {
        if (!isCancelled(error)) this.failure = pageError(error).text;
      }
      if (this.#next !== null) await this.#rest(wait);
    }
    this.#isBusy = false;
  }

  #wake: () => void = () => undefined;

  #rest(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /**
   * Starts the next drawing without a pause. Call this when the records are complete or the visitor
   * has changed the view.
   */
  hurry(): void {
    this.#wake();
  }

  /** A plot as a separate document, with its title and legend. */
  async document(name: Plot["name"], { records, options }: Subject): Promise<string | undefined> {
    const laboratory = await this.#bench.get();
    const plots = await laboratory.plots(records, { ...options, width: 960, bare: false });
    return plots.find((plot) => plot.name === name)?.svg;
  }

  close(): void {
    this.#next = null;
    this.#bench.close();
  }
}
