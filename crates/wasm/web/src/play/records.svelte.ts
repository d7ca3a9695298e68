/** The results stored in this browser; all tabs share them. */
import { added, fastest, read, shortest, write, type Lists, type Result } from "./results.ts";

/** Storage of texts. */
export type TextStore = Pick<Storage, "getItem" | "setItem">;

export const KEY = "sliding-tile.results";
/** Key of a copy of unreadable contents, made before they are overwritten. */
export const DAMAGED = "sliding-tile.results.damaged";

/** Rank of a result in its list. */
export interface Standing {
  name: string;
  result: Result;
  /** Whether the result is faster than all earlier results; false for the list's first result. */
  isFastest: boolean;
  /** Whether the result has fewer moves than all earlier results; false for the first result. */
  isShortest: boolean;
}

export class Records {
  lists = $state.raw<Lists>(new Map());
  /** Number of damaged entries, which are skipped. */
  damaged = $state(0);
  /**
   * The reason why results of this visit are not stored: a later version of the page has stored
   * results, or storage is denied.
   */
  unkept = $state<"newer" | "denied" | null>(null);
  #store: () => TextStore;

  /** `store` throws if the browser denies storage. */
  constructor(store: () => TextStore) {
    this.#store = store;
    this.#load();
  }

  /** Reloads the results when another tab changes them. The returned function stops this. */
  follow(): () => void {
    const hear = ({ key }: StorageEvent) => {
      if (key === KEY || key === null) this.#load();
    };
    addEventListener("storage", hear);
    return () => removeEventListener("storage", hear);
  }

  of(name: string): readonly Result[] {
    return this.lists.get(name) ?? [];
  }

  add(name: string, result: Result): Standing {
    this.#load();
    const before = this.of(name);
    this.#save(new Map(this.lists).set(name, added(before, result)));
    return {
      name,
      result,
      isFastest: before.length > 0 && result.ms < fastest(before)[0].ms,
      isShortest: before.length > 0 && result.moves < shortest(before)[0].moves,
    };
  }

  delete(name: string): void {
    this.#load();
    const lists = new Map(this.lists);
    lists.delete(name);
    this.#save(lists);
  }

  #load(): void {
    // Without storage the results of this visit stay in memory.
    if (this.unkept === "denied") return;
    try {
      const reading = read(this.#store().getItem(KEY));
      if (reading.isNewer) {
        this.unkept = "newer";
        return;
      }
      this.lists = reading.lists;
      this.damaged = reading.damaged;
      this.unkept = null;
    } catch {
      this.unkept = "denied";
    }
  }

  #save(lists: Lists): void {
    this.lists = lists;
    if (this.unkept !== null) return;
    try {
      const store = this.#store();
      if (this.damaged > 0) store.setItem(DAMAGED, store.getItem(KEY) ?? "");
      store.setItem(KEY, write(lists));
      this.damaged = 0;
    } catch {
      this.unkept = "denied";
    }
  }
}

export const records = new Records(() => localStorage);
