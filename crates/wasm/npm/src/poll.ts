/** Detects the cancellation of a call in the busy thread. */
import type { CancelWay } from "./protocol.js";

/** `isCancelled` is called several hundred times per second, so it must be very fast. */
export interface Poll {
  readonly way: CancelWay;
  /** Starts a call. */
  begin(id: number, address?: string): void;
  isCancelled(): boolean;
}

/**
 * Two numbers in shared memory: the cancelled call and the running call. If they are equal, the
 * running call is cancelled. Helpers read the numbers, too.
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
 * A call is cancelled when its address, a blob URL, can no longer be read. Reading is synchronous,
 * so it needs no message handling, and takes a fraction of a millisecond.
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
      // The permanent address distinguishes a cancelled call from a general failure to read.
      if (this.#canRead(this.#live)) this.#isCancelled = true;
      else this.#address = undefined;
    }
    const end = performance.now();
    // Slow reads must not slow down the search.
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
