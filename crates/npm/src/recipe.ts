/** Creates the solver of each new thread. Only the first thread needs the network. */
import type { Bytes } from "./address.js";
import { openAddress, readSound } from "./bundle.js";
import type { Bundle, ListedTable, Manifest, Sha256 } from "./bundle.js";
import type { TablesInfo } from "./contract.js";
import { CancelledError, InputError, TableError, cancelledBy } from "./error.js";
import { describe, requestOf, tell, type Request } from "./request.js";
import { hasStorage, keepTable, readTable } from "./storage.js";
import type { CallTools, Thread } from "./thread.js";
import type { SolverOptions, TableProgress, TableSource } from "./types.js";

/** The listener and the signal for the creation of a solver. */
export type RecipeTools = Pick<SolverOptions, "signal" | "onProgress">;

/** The options of a solver that do not concern its threads. */
export type OwnOptions = Omit<
  SolverOptions,
  "onProgress" | "signal" | "threads" | "urls" | "wasm" | "worker"
>;

/** Source of the tables. */
type Source =
  | { kind: "build" }
  | { kind: "loose"; tables: readonly Uint8Array[] }
  | { kind: "bundle"; url: URL };

/** Creates solvers from a caller's options. */
export class Recipe {
  /**
   * The fields of all requests, which name the goal and its tables. A bundle adds omitted ones, and
   * an open solver its size and goal.
   */
  puzzle: Request = {};
  /** The caller's limit. */
  readonly maxBuildTime: number | undefined;
  readonly #bothSides: boolean | undefined;
  readonly #source: Source;
  readonly #keeps: boolean;
  /** Whether the bundle was opened. */
  #isSettled = false;
  /** For each file name, the packed table, or the table's key in the browser's storage. */
  readonly #packed = new Map<string, Bytes | string>();
  /** Warnings that did not stop the work. */
  readonly warnings: string[] = [];

  constructor(options: OwnOptions) {
    const { tables = "build", keep = true, maxBuildTime, bothSides, ...puzzle } = options;
    this.#source = sourceOf(tables);
    this.#keeps = keep && hasStorage();
    this.maxBuildTime = maxBuildTime === Infinity ? Number.MAX_SAFE_INTEGER : maxBuildTime;
    this.#bothSides = bothSides;
    Object.assign(this.puzzle, puzzle);
    if (tables === "none") {
      this.puzzle["partition"] = puzzle.metric === "multi" ? "lines" : "manhattan";
    }
  }

  /** Creates the thread's solver. */
  async prepare(thread: Thread, tools: RecipeTools = {}): Promise<TablesInfo> {
    const { signal } = tools;
    if (signal?.aborted) throw cancelledBy(signal);
    // Terminating the thread loses no solver, because the thread has none yet.
    const abort = () => thread.terminate();
    signal?.addEventListener("abort", abort);
    try {
      await this.#load(thread, tools);
      // Tables that were read are not mixed with built ones.
      const maxBuildTime = this.#source.kind === "build" ? this.maxBuildTime : 0;
      const info = await ask(
        thread,
        { ask: "open", ...this.puzzle, maxBuildTime, bothSides: this.#bothSides },
        {
          signal,
          onEvent: (event) => {
            if (event.type === "tables") tell(tools.onProgress, event.progress);
          },
        },
      );
      const { goal = "blank-last" } = this.puzzle;
      this.puzzle = { ...this.puzzle, size: info.goal.size, goal };
      return info;
    } catch (error) {
      throw signal?.aborted && !(error instanceof CancelledError) ? cancelledBy(signal) : error;
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }

  async #load(thread: Thread, tools: RecipeTools): Promise<void> {
    const source = this.#source;
    if (source.kind === "loose") {
      await addAll(thread, source.tables, tools, (table) => table.slice() as Bytes);
    } else if (source.kind === "bundle" && !(await this.#loadAgain(thread))) {
      await this.#loadBundle(thread, source.url, tools);
    }
  }

  /** The names of the needed files, and of the optional ones. */
  async #files(thread: Thread): Promise<[string[], string[]]> {
    const info = await ask(thread, { ask: "choose", ...this.puzzle });
    return [info.files, this.#bothSides === false ? [] : info.other_files];
  }

  /**
   * Adds the tables of a bundle that was read earlier, without reading the bundle again. Returns
   * `false` if a table is no longer available.
   */
  async #loadAgain(thread: Thread): Promise<boolean> {
    if (!this.#isSettled) return false;
    const [needed, others] = await this.#files(thread);
    const known = others.filter((file) => this.#packed.has(file));
    for (const file of [...needed, ...known]) {
      const place = this.#packed.get(file);
      const packed = typeof place === "string" ? await readTable(place).catch(() => {}) : place;
      if (!packed) return false;
      await add(thread, packed.slice());
    }
    return true;
  }

  async #loadBundle(thread: Thread, url: URL, tools: RecipeTools): Promise<void> {
    const { signal } = tools;
    const sha256 = sha256Of(thread);
    progress(tools, "download", 0, 1, 0);
    const bundle = await openAddress(url, signal);
    this.#settle(bundle);
    const [needed, others] = await this.#files(thread);
    const find = (file: string) => bundle.manifest.tables.find(({ table }) => table.file === file);
    const listed = needed.map((file) => {
      const found = find(file);
      if (found) return found;
      const { tray, goal, rebuild } = bundle.manifest;
      throw new TableError(
        `${bundle.name} has no table ${file}: it was made by "${rebuild}", for ${tray}, goal ${goal.join(" ")}`,
      );
    });
    listed.push(...others.map(find).filter((found) => found !== undefined));
    const total = listed.reduce((sum, { packed }) => sum + packed.length, 0);
    const counts = listed.map(() => 0);
    let finished = 0;
    const count = (number: number, bytes: number) => {
      counts[number] = bytes;
      const done = total ? Math.min(1, counts.reduce((sum, n) => sum + n, 0) / total) : 1;
      progress(tools, "download", Math.min(finished, listed.length - 1), listed.length, done);
    };
    // A failed download cancels the other downloads.
    const stop = new AbortController();
    const abort = () => stop.abort(signal?.reason);
    signal?.addEventListener("abort", abort);
    let tables: Bytes[];
    try {
      tables = await Promise.all(
        listed.map(async (one, number) => {
          const bytes = await this.#fetch(bundle, one, sha256, tools, {
            signal: stop.signal,
            onBytes: (bytes) => count(number, bytes),
          });
          finished++;
          count(number, one.packed.length);
          return bytes;
        }),
      );
    } catch (error) {
      stop.abort();
      throw error;
    } finally {
      signal?.removeEventListener("abort", abort);
    }
    await addAll(thread, tables, tools, (table) => table);
  }

  /** Completes the request: options that the caller omits come from the bundle. */
  #settle({ manifest }: Bundle): void {
    if (this.#isSettled) return;
    const { size, goal, partition } = this.puzzle;
    if (size === undefined && goal === undefined) {
      Object.assign(this.puzzle, { size: manifest.tray, goal: manifest.goal });
    }
    this.puzzle["kind"] ??= manifest.tables[0]?.table.kind;
    if (partition === undefined) this.puzzle["parts"] ??= partsOf(manifest);
    this.#isSettled = true;
  }

  /**
   * Reads packed bytes from the storage. If they are missing, reads them from the bundle and stores
   * them.
   */
  async #fetch(
    bundle: Bundle,
    listed: ListedTable,
    sha256: Sha256,
    tools: RecipeTools,
    options: { signal: AbortSignal; onBytes: (count: number) => void },
  ): Promise<Bytes> {
    const { file } = listed.table;
    const { sha256: sum } = listed.packed;
    if (this.#keeps) {
      try {
        const kept = await readTable(sum);
        if (kept && (await sha256(kept)) === sum) {
          this.#packed.set(file, sum);
          return kept;
        }
      } catch (error) {
        this.#warn(error, tools);
      }
    }
    const bytes = await readSound(bundle, listed, sha256, options);
    let place: Bytes | string | undefined;
    if (this.#keeps) {
      try {
        await keepTable(sum, file, bytes);
        place = sum;
      } catch (error) {
        this.#warn(error, tools);
      }
    }
    // The caller transfers `bytes` to the thread. A copy stays here for later threads. Tables in
    // the browser's storage need no copy, because they can be read again.
    this.#packed.set(file, place ?? bytes.slice());
    return bytes;
  }

  #warn(error: unknown, tools: RecipeTools): void {
    const { message } = error as Error;
    const warning = `tables are not kept for the next visit: ${message}`;
    if (this.warnings.includes(warning)) return;
    this.warnings.push(warning);
    tell(tools.onProgress, { stage: "download", table: 0, tables: 1, done: 0, warning });
  }
}

function sourceOf(tables: TableSource): Source {
  if (tables === "build" || tables === "none") return { kind: "build" };
  if (tables instanceof URL) return { kind: "bundle", url: tables };
  const list: unknown = tables instanceof Uint8Array ? [tables] : tables;
  if (!Array.isArray(list) || !list.every((table) => table instanceof Uint8Array)) {
    const what =
      typeof tables === "string"
        ? `${describe(tables)}; of an address make a URL`
        : describe(tables);
    throw new InputError(`\`tables\` must be "build", "none", a URL or bytes, not ${what}`);
  }
  return { kind: "loose", tables: list as Uint8Array[] };
}

/** For each partition of a bundle, the tiles of its parts. */
function partsOf({ parts }: Manifest): number[][][] {
  const partitions: number[][][] = [];
  for (const { partition, tiles } of parts) (partitions[partition] ??= []).push(tiles);
  return partitions.filter(Boolean);
}

/** The SHA-256 from the host's function if it has one, otherwise from the module. */
function sha256Of(thread: Thread): Sha256 {
  // Calls are queued, because a thread handles one call at a time.
  let last: Promise<unknown> = Promise.resolve();
  return async (bytes) => {
    // Only secure origins provide `crypto.subtle`.
    const subtle = globalThis.crypto?.subtle as SubtleCrypto | undefined;
    if (subtle) {
      const sum = new Uint8Array(await subtle.digest("SHA-256", bytes));
      return Array.from(sum, (byte) => byte.toString(16).padStart(2, "0")).join("");
    }
    const next = last.then(() => thread.call("sha256", [bytes]));
    last = next.catch(() => {});
    return next;
  };
}

/** Asks a question about tables. */
async function ask(thread: Thread, request: Request, tools?: CallTools): Promise<TablesInfo> {
  return (await thread.call("ask", [requestOf(request)], tools)) as TablesInfo;
}

async function add(thread: Thread, bytes: Bytes): Promise<void> {
  await thread.call("add", [bytes], { transfer: [bytes.buffer] });
}

/** Adds tables, whose bytes are transferred to the thread. */
async function addAll<Table>(
  thread: Thread,
  tables: readonly Table[],
  tools: RecipeTools,
  bytesOf: (table: Table) => Bytes,
): Promise<void> {
  const { length } = tables;
  for (const [number, table] of tables.entries()) {
    progress(tools, "unpack", number, length, number / length);
    await add(thread, bytesOf(table));
  }
  if (length) progress(tools, "unpack", length - 1, length, 1);
}

function progress(
  { onProgress }: RecipeTools,
  stage: TableProgress["stage"],
  table: number,
  tables: number,
  done: number,
): void {
  tell(onProgress, { stage, table, tables, done });
}
