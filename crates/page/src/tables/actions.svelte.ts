/** The visitor's actions on tables: choose, load, prove, save and delete. */
import { forgetTables, storedTables, type StoredTable, type TableProgress } from "sliding-tile-pdb";
import { announce } from "../common/announce.svelte.ts";
import { load as loadSetting, save as saveSetting } from "../common/store.ts";
import { NO_TABLES, presets, type Preset } from "../solver/choice.ts";
import { solvers, type Choice } from "../solver/cache.svelte.ts";
import type { Entry } from "../solver/entry.svelte.ts";
import { pageError, isCancelled } from "../solver/error.ts";
import { Task } from "../solver/task.svelte.ts";
import { text } from "../text/text.svelte.ts";
import { game } from "../game/game.svelte.ts";

/** Maximum size of a file in bytes; a page has no memory for larger files. */
const LARGEST_FILE = 2 ** 31;

/** Whether the browser has storage. If storage is denied, even reading the property throws. */
function canKeep(): boolean {
  try {
    return typeof indexedDB === "object" && indexedDB !== null;
  } catch {
    return false;
  }
}

class TableActions {
  /** The last error, with a remedy. */
  failure = $state<string | null>(null);
  /** The last success message. */
  success = $state<string | null>(null);
  progress = $state.raw<TableProgress | null>(null);
  stored = $state.raw<readonly StoredTable[]>([]);
  storageFailure = $state<string | null>(null);
  address = $state("");
  /** The name of the partition that is being built, as the visitor chose it. */
  wanted = $state<string | null>(null);

  #task = new Task();
  #entry = $state.raw<Entry | null>(null);

  constructor() {
    const address = loadSetting("tables-address");
    if (typeof address === "string") this.address = address;
  }

  /** The partitions offered for the current size, the default first. */
  get presets(): readonly Preset[] {
    const { size, puzzle } = game;
    return presets(
      size,
      solvers.metric,
      puzzle?.partitions(size, solvers.metric) ?? [],
      solvers.usual,
    );
  }

  get isBusy(): boolean {
    return this.#task.busy;
  }

  /** Progress of the running work. */
  get shownProgress(): TableProgress | null {
    return this.#entry?.progress ?? this.progress;
  }

  /** Builds the tables of a partition, given as a text that `--partition` accepts. */
  async choosePartition(partition: string | undefined): Promise<void> {
    const isNone = partition === NO_TABLES;
    const wanted = partition ?? solvers.usual ?? null;
    await this.#work(
      isNone
        ? text.tables.readyNone
        : partition === undefined
          ? text.tables.readyDefault
          : text.tables.readyPartition(partition),
      (signal) =>
        partition === undefined
          ? this.#useDefault()
          : this.#load({ partition, source: isNone ? "none" : "build", origin: "" }, signal),
      wanted,
    );
  }

  /** Loads the chosen files: tables, packed or not, or a bundle in one file. */
  async loadFiles(files: readonly File[]): Promise<void> {
    const tables = files.filter(({ name }) => !/\.(json|txt|md)$/i.test(name));
    const origin = tables.length === 1 ? tables[0].name : text.tables.fileCount(tables.length);
    await this.#work(text.tables.loaded(origin), async (signal) => {
      if (tables.length === 0) throw new Error(text.tables.noTableFile);
      const large = tables.find(({ size }) => size > LARGEST_FILE);
      if (large) throw new Error(text.tables.tooLarge(large.name));
      const source = await Promise.all(
        tables.map(async (file) => new Uint8Array(await file.arrayBuffer())),
      );
      signal.throwIfAborted();
      await this.#loadBytes(source, origin, signal);
    });
  }

  /**
   * Loads a bundle from `address`, the address on this site of a manifest or of a bundle in one
   * file.
   */
  async loadAddress(): Promise<void> {
    const address = this.address.trim();
    await this.#work(text.tables.loaded(address), async (signal) => {
      if (address === "") throw new Error(text.tables.noAddress);
      const base = document.baseURI;
      const url = URL.canParse(address, base) ? new URL(address, base) : null;
      if (!url) throw new Error(text.tables.badAddress(address));
      if (url.origin !== location.origin) {
        throw new Error(text.tables.otherSite(location.host, url.host));
      }
      await this.#load({ partition: undefined, source: url, origin: address }, signal);
      saveSetting("tables-address", address);
    });
    await this.refresh();
  }

  /** Verifies every entry of the current tables. */
  async prove(): Promise<void> {
    const entry = solvers.current;
    const solver = entry?.solver;
    if (!entry || !solver) return;
    await this.#work(text.tables.proved, async (signal) => {
      entry.tables = await solver.verify({
        signal,
        onProgress: (progress) => {
          if (!signal.aborted) this.progress = progress;
        },
      });
    });
  }

  /** Saves a table as a file. */
  async saveFile(file: string): Promise<void> {
    const solver = solvers.current?.solver;
    if (!solver) return;
    await this.#work(text.tables.saved(file), async (signal) => {
      const bytes = await solver.table(file);
      signal.throwIfAborted();
      // A copy in unshared memory, which a Blob requires.
      const url = URL.createObjectURL(new Blob([new Uint8Array(bytes)]));
      const link = document.createElement("a");
      link.href = url;
      link.download = file;
      link.click();
      setTimeout(() => URL.revokeObjectURL(url), 60_000);
    });
  }

  /** Builds the current tables now. */
  async build(): Promise<void> {
    await this.#work(text.tables.ready, async () => {
      await solvers.solver();
    });
  }

  /** Frees the tables of a solver. */
  forget(entry: Entry): void {
    solvers.forget(entry);
    this.failure = null;
    this.success = text.tables.freed;
    announce(this.success);
  }

  cancel(): void {
    this.#task.drop();
    this.wanted = null;
    this.#entry?.close();
    this.#entry = null;
    this.progress = null;
    solvers.cancel();
    announce(text.tables.cancelled);
  }

  /** Updates the list of tables stored in the browser. */
  async refresh(): Promise<void> {
    try {
      this.stored = await storedTables();
      this.storageFailure = canKeep() ? null : text.tables.noStorage;
    } catch (error) {
      this.stored = [];
      this.storageFailure = pageError(error).text;
    }
  }

  async forgetStored(sums?: readonly string[]): Promise<void> {
    try {
      await forgetTables(sums);
      announce(text.tables.removed);
    } catch (error) {
      this.storageFailure = pageError(error).text;
      return;
    }
    await this.refresh();
  }

  async #useDefault(): Promise<void> {
    solvers.choose(null);
    await solvers.solver();
  }

  /**
   * Single table files do not name their partition: the current partition is tried first, then the
   * partitions offered for the size. Unsuitable tables are rejected before anything is built.
   */
  async #loadBytes(
    source: readonly Uint8Array[],
    origin: string,
    signal: AbortSignal,
  ): Promise<void> {
    const offered = this.presets.map(({ partition }) => partition);
    const names = [undefined, solvers.partition, ...offered].filter((name) => name !== NO_TABLES);
    let first: unknown;
    for (const partition of new Set(names)) {
      try {
        await this.#load({ partition, source, origin }, signal);
        return;
      } catch (error) {
        if (signal.aborted || isCancelled(error)) throw error;
        first ??= error;
      }
    }
    throw first;
  }

  async #load(choice: Choice, signal: AbortSignal): Promise<void> {
    try {
      await solvers.load(choice, (entry) => {
        this.#entry = entry;
        signal.addEventListener("abort", () => entry.close());
      });
    } catch (error) {
      if (choice.origin === "" || isCancelled(error)) throw error;
      const { code, text: reason } = pageError(error);
      // The partition of a bundle for another size or goal is invalid for this board.
      const message =
        code === "error" ? text.tables.otherBoard(choice.origin, game.size, reason) : reason;
      throw new Error(`${message} ${text.tables.unchanged}`, { cause: error });
    }
  }

  async #work(
    done: string,
    work: (signal: AbortSignal) => Promise<void>,
    wanted: string | null = null,
  ): Promise<void> {
    this.wanted = wanted;
    this.failure = null;
    this.success = null;
    this.progress = null;
    this.#entry = null;
    try {
      const finished = await this.#task.run(async (signal) => {
        await work(signal);
        return true;
      });
      if (finished === undefined) return;
      this.success = done;
      announce(done);
    } catch (error) {
      if (!isCancelled(error)) {
        this.failure = pageError(error).text;
        announce(this.failure);
      }
    }
    // Newer work resets this state when it ends.
    if (this.#task.busy) return;
    this.wanted = null;
    this.#entry = null;
    this.progress = null;
    void solvers.current?.measure();
  }
}

export const tableActions = new TableActions();
