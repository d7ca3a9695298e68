/** Detects the cancellation of a call in a thread that is busy with it. */
import type { CancelWay } from "./protocol.js";

/** Asked several hundred times a second, so an answer must cost nearly nothing. */
export interface Poll {
  readonly way: CancelWay;
  /** A call begins. */
  begin(id: number, address?: string): void;
  isCancelled(): boolean;
}

/**
 * Two numbers in shared memory: the call that is cancelled, and the call that runs. Cancelled when
 * they are the same. Helpers read them too.
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
 * Cancelled when the address of the call, a blob URL, can no longer be read. Reading is
 * synchronous, so no message has to be handled in between; it costs a fraction of a millisecond.
 */
export class AddressPoll implements Poll {
  readonly way = "address";
  readonly #live: string;
  readonly #canRead: (address: string) => boolean;
  #address: string | undefined;
  #next = 0;
  #isCancelled = false;

  /** `live` can be read as long as the caller is there. */
  constructor(live: string, reader: (address: string) => boolean = canRead) {
    this.#live = live;
    this.#canRead = reader;
  }

  /** Whether addresses can be read in this thread: a page's security policy may forbid it. */
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
      // An address that stays tells a call that was cancelled from reading that broke down.
      if (this.#canRead(this.#live)) this.#isCancelled = true;
      else this.#address = undefined;
    }
    const end = performance.now();
    // If reading is slow, it must not slow down the search.
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

/** Never knows. */
export class NoPoll implements Poll {
  readonly way = "none";
  begin(): void {}
  isCancelled(): boolean {
    return false;
  }
}
