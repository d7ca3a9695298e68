/** Lets a busy thread detect that its call is cancelled. */
import type { CancelWay } from "./protocol.js";

/** `isCancelled` is called several hundred times per second, so it must be very fast. */
export interface Poll {
  readonly way: CancelWay;
  /** Starts a call. */
  begin(id: number, address?: string): void;
  isCancelled(): boolean;
}

/**
 * Shared memory contains two ids: of the last cancelled call, and of the running call. If the ids
 * are equal, the running call is cancelled. Helpers read the ids, too.
 */
export class FlagPoll implements Poll {
  readonly way = "flag";
  readonly #flag: Int32Array;

  constructor(flag: Int32Array) {
    this.#flag = flag;
  }

  begin(id: number): void {
    Atomics.store(this.#flag, 1, id);
  }

  isCancelled(): boolean {
    const cancelled = Atomics.load(this.#flag, 0);
    return cancelled !== 0 && cancelled === Atomics.load(this.#flag, 1);
  }
}

/** Milliseconds between two readings of an address. */
const SPACING = 15;

/**
 * Each call has a blob URL. To cancel the call, the caller's thread revokes the URL. The busy
 * thread detects that it can no longer read the URL. Reading is synchronous, so it works without
 * handling messages, and takes a fraction of a millisecond.
 */
export class AddressPoll implements Poll {
  readonly way = "address";
  readonly #live: string;
  readonly #canRead: (address: string) => boolean;
  #address: string | undefined;
  #next = 0;
  #isCancelled = false;

  /** `live`: an address that is readable as long as the caller's thread exists. */
  constructor(live: string, reader: (address: string) => boolean = canRead) {
    this.#live = live;
    this.#canRead = reader;
  }

  /** Whether this thread can read an address. The security policy of a page can forbid it. */
  static works(live: string): boolean {
    return typeof XMLHttpRequest === "function" && canRead(live);
  }

  begin(_id: number, address?: string): void {
    this.#address = address;
    this.#isCancelled = false;
    this.#next = performance.now() + SPACING;
  }

  isCancelled(): boolean {
    if (this.#isCancelled || this.#address === undefined) return this.#isCancelled;
    const now = performance.now();
    if (now < this.#next) return false;
    if (!this.#canRead(this.#address)) {
      // If the permanent address cannot be read either, this is not a cancellation.
      if (this.#canRead(this.#live)) this.#isCancelled = true;
      else this.#address = undefined;
    }
    const end = performance.now();
    // After a slow read, the next read is delayed, so that reads do not slow down the search.
    this.#next = end + Math.max(SPACING, Math.min(30, 20 * (end - now)));
    return this.#isCancelled;
  }
}

function canRead(address: string): boolean {
  try {
    const request = new XMLHttpRequest();
    request.open("GET", address, false);
    request.send();
    return request.status === 200;
  } catch {
    return false;
  }
}

/** Never detects a cancellation. */
export class NoPoll implements Poll {
  readonly way = "none";
  begin(): void {}
  isCancelled(): boolean {
    return false;
  }
}
