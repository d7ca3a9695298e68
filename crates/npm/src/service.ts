/**
 * The worker's connection to its caller, in a web worker or a Node thread, and ways in which a busy
 * worker detects that its call is cancelled. The caller ensures that only one call runs at a time.
 */
import { toWire } from "./error.js";
import { type ModuleCalls, poll as asked } from "./glue.js";
import { nodeModule } from "./host.js";
import type { Arguments, Begin, Call, CancelWay, FromWorker, Help, ToWorker } from "./protocol.js";

/**
 * Detects cancellations. `isCancelled` is called several hundred times per second, so it must be
 * very fast.
 */
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

/** The parts of a web worker's scope that are used. */
interface Scope {
  WorkerGlobalScope?: unknown;
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
}

const scope = globalThis as unknown as Scope;
const port =
  scope.WorkerGlobalScope === undefined ? nodeModule("node:worker_threads")?.parentPort : undefined;

function post(message: FromWorker, transfer: ArrayBuffer[] = []): void {
  if (port) port.postMessage(message, transfer);
  else scope.postMessage(message, transfer);
}

/** Parts that differ between kinds of workers. An exception ends the worker. */
export interface Service {
  /** Returns the module's calls, or `undefined` if helpers must join first. */
  begin(message: Begin): ModuleCalls | undefined;
  /** Returns the module's calls. Called when all helpers have joined; `helpers` is their number. */
  gather?(helpers: number): ModuleCalls;
  /** Turns this worker into a helper: reports that it is ready, and does not return. */
  help?(module: WebAssembly.Module, memory: WebAssembly.Memory, isReady: () => void): void;
  /** Converts an exception into an error for the caller's thread. */
  failure?(thrown: unknown): ReturnType<typeof toWire>;
}

/** Serves the requests of the caller's thread from now on. */
export function serve(service: Service): void {
  let calls: ModuleCalls | undefined;
  let poll: Poll = new NoPoll();

  function start(begun: ModuleCalls | undefined): void {
    calls = begun;
    if (calls) post({ type: "ready", way: poll.way });
  }

  function begin(message: Begin): void {
    const { flag, address } = message;
    const begun = service.begin(message);
    if (flag) poll = new FlagPoll(flag);
    else if (address !== undefined && AddressPoll.works(address)) poll = new AddressPoll(address);
    asked.isCancelled = () => poll.isCancelled();
    start(begun);
  }

  function help({ module, memory, flag }: Help): void {
    const helped = new FlagPoll(flag);
    asked.isCancelled = () => helped.isCancelled();
    service.help?.(module, memory, () => post({ type: "helping" }));
  }

  function answer({ id, name, args, address }: Call): void {
    if (!calls) throw new Error("the worker was not begun");
    calls.onEvent = (event) => post({ type: "event", id, event });
    poll.begin(id, address);
    const value = calls.call(name, args as Arguments<typeof name>);
    post(
      { type: "value", id, value },
      value instanceof Uint8Array ? [value.buffer as ArrayBuffer] : [],
    );
  }

  function receive(message: ToWorker): void {
    if (message.type === "call") {
      try {
        answer(message);
      } catch (thrown) {
        post({ type: "error", id: message.id, error: calls?.failure(thrown) ?? toWire(thrown) });
      }
      return;
    }
    try {
      if (message.type === "begin") begin(message);
      else if (message.type === "gather") start(service.gather?.(message.helpers));
      else help(message);
    } catch (thrown) {
      post({ type: "failed", error: service.failure?.(thrown) ?? toWire(thrown) });
    }
  }

  if (port) port.on("message", (message) => receive(message as ToWorker));
  else scope.onmessage = ({ data }) => receive(data);
}
