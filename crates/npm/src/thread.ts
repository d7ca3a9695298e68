/**
 * Threads for calls: a worker, or the caller's thread. Workers must not import this module: bundlers
 * would find workers within workers endlessly.
 */
import type { Event } from "./contract.js";
import { fromWire, InputError, MemoryError, PuzzleError, toWire } from "./error.js";
import { UnsupportedError } from "./error.js";
import { canShareMemory, coreCount, hasWorkers, nodeModule, sharedMemory } from "./host.js";
import { compile, compileOwn, takesMemory } from "./module.js";
import type { Arguments, CancelWay, FromWorker, OperationName, ToWorker } from "./protocol.js";
import type { Value } from "./protocol.js";
import { describe } from "./request.js";
import type { FileUrls, SolverOptions } from "./types.js";

/** Data of a call besides its arguments. */
export interface CallTools {
  onEvent?: (event: Event) => void;
  /** Buffers in the arguments, which are transferred instead of copied. */
  transfer?: readonly ArrayBuffer[];
  signal?: AbortSignal;
}

/** Runs one call at a time. */
export interface Thread {
  readonly way: CancelWay;
  /** Number of threads that work on a call: this one and its helpers. */
  readonly threads: number;
  /** Whether the thread has ended. It then accepts no calls. */
  readonly isDead: boolean;
  call<Name extends OperationName>(
    name: Name,
    args: Arguments<Name>,
    tools?: CallTools,
  ): Promise<Value<Name>>;
  /** Requests the running call to end. */
  cancel(): void;
  /** Ends the thread, and rejects the running call. */
  terminate(): void;
}

interface Pending {
  id: number;
  resolve: (value: never) => void;
  reject: (error: PuzzleError) => void;
  onEvent: (event: Event) => void;
  address: string | undefined;
}

interface Starting {
  resolve(thread: WorkerThread): void;
  reject(error: PuzzleError): void;
}

/** A kind of worker, its module, and for several threads their memory. */
interface Setup {
  kind: WorkerKind;
  module: WebAssembly.Module;
  /** The address of the worker's script, if the caller gives one. */
  url: URL | undefined;
  memory?: WebAssembly.Memory;
  /** Number of helpers, without the worker that receives the calls. */
  helpers?: number;
}

/** The caller's connection to a worker and its helpers. */
export class WorkerThread implements Thread {
  way: CancelWay = "none";
  isDead = false;
  readonly #port: WorkerPort;
  readonly #flag: Int32Array | undefined;
  #live: string | undefined;
  readonly #started: Starting;
  #isStarted = false;
  #pending: Pending | undefined;
  #id = 0;

  /** The helpers, which share the worker's memory. */
  readonly #helpers: WorkerPort[] = [];
  /** Number of helpers that have not joined yet. */
  #awaited = 0;

  /** Starts a worker that instantiates the module, and its helpers. */
  static start(setup: Setup): Promise<WorkerThread> {
    return new Promise((resolve, reject) => {
      new WorkerThread(setup, { resolve, reject });
    });
  }

  private constructor(setup: Setup, started: Starting) {
    this.#started = started;
    const { kind, module, url, memory } = setup;
    const failed = (error: unknown) => this.#die(whyDied(error, this.#isStarted));
    const message = (data: unknown) => this.#receive(data as FromWorker);
    this.#port = openWorker(kind, { message, failed }, url);
    if (canShareMemory()) {
      this.#flag = new Int32Array(new SharedArrayBuffer(8));
    } else {
      this.#live = newAddress();
    }
    const [flag, address] = [this.#flag, this.#live];
    try {
      this.#send({ type: "begin", module, flag, address, memory });
      if (memory && flag) this.#gather(setup, memory, flag, failed);
    } catch (error) {
      failed(error);
    }
  }

  get threads(): number {
    return this.#helpers.length + 1;
  }

  /**
   * Starts the helpers here instead of in the worker: while the worker is busy, it receives no
   * messages, so it would miss the failure of a helper.
   */
  #gather(
    { kind, module, url, helpers = 0 }: Setup,
    memory: WebAssembly.Memory,
    flag: Int32Array,
    failed: WorkerListener["failed"],
  ) {
    this.#awaited = helpers;
    const message = (data: unknown) => {
      const said = data as FromWorker;
      if (said.type === "failed") this.#die(fromWire(said.error));
      if (said.type !== "helping" || this.isDead) return;
      if (--this.#awaited === 0) this.#send({ type: "gather", helpers });
    };
    for (let number = 0; number < helpers; number++) {
      const port = openWorker(kind, { message, failed }, url);
      this.#helpers.push(port);
      // Helpers never end, so the process must not wait for them before it exits.
      port.hold(false);
      port.post({ type: "help", module, memory, flag } satisfies ToWorker);
    }
  }

  call<Name extends OperationName>(
    name: Name,
    args: Arguments<Name>,
    { onEvent = () => {}, transfer = [] }: CallTools = {},
  ): Promise<Value<Name>> {
    return new Promise((resolve, reject) => {
      if (this.isDead || this.#pending) {
        reject(new PuzzleError("the worker cannot take a call now"));
        return;
      }
      const id = ++this.#id;
      const address = this.way === "address" ? newAddress() : undefined;
      this.#pending = { id, resolve, reject, onEvent, address };
      this.#port.hold(true);
      try {
        this.#send({ type: "call", id, name, args, address }, transfer);
      } catch (error) {
        this.#settle()?.reject(fromWire(toWire(error)));
      }
    });
  }

  cancel(): void {
    if (!this.#pending) return;
    if (this.#flag) Atomics.store(this.#flag, 0, this.#pending.id);
    else if (this.#pending.address !== undefined) URL.revokeObjectURL(this.#pending.address);
  }

  terminate(): void {
    this.#die(new PuzzleError("the worker was ended"));
  }

  #send(message: ToWorker, transfer: readonly ArrayBuffer[] = []): void {
    this.#port.post(message, transfer);
  }

  #receive(message: FromWorker): void {
    if (this.isDead) return;
    if (message.type === "ready") {
      this.way = message.way;
      this.#isStarted = true;
      this.#port.hold(false);
      this.#started.resolve(this);
      return;
    }
    if (message.type === "failed") {
      this.#die(fromWire(message.error));
      return;
    }
    if (message.type === "helping" || message.id !== this.#pending?.id) return;
    if (message.type === "event") {
      this.#pending.onEvent(message.event);
    } else if (message.type === "value") {
      this.#settle()?.resolve(message.value as never);
    } else {
      const pending = this.#settle();
      if (message.error.isFatal) this.terminate();
      pending?.reject(fromWire(message.error));
    }
  }

  /** Ends the running call. */
  #settle(): Pending | undefined {
    const pending = this.#pending;
    this.#pending = undefined;
    if (pending?.address !== undefined) URL.revokeObjectURL(pending.address);
    if (!this.isDead) this.#port.hold(false);
    return pending;
  }

  #die(error: PuzzleError): void {
    if (this.isDead) return;
    this.isDead = true;
    // Browsers let a busy worker run for seconds after `terminate`. Cancelling the call ends the
    // work earlier.
    this.cancel();
    this.#port.terminate();
    for (const helper of this.#helpers) helper.terminate();
    if (this.#live !== undefined) URL.revokeObjectURL(this.#live);
    this.#started.reject(error);
    this.#settle()?.reject(error);
  }
}

function newAddress(): string | undefined {
  if (typeof Blob !== "function" || typeof URL.createObjectURL !== "function") return undefined;
  return URL.createObjectURL(new Blob(["1"], { type: "text/plain" }));
}

function whyDied(error: unknown, isStarted: boolean): PuzzleError {
  const { code, message: said } = error as { code?: string; message?: string };
  const reason = said || String(error);
  if (code === "ERR_WORKER_OUT_OF_MEMORY" || /out of memory/i.test(reason)) {
    return new MemoryError(`the worker ran out of memory: ${reason}`, { cause: error });
  }
  if (isStarted) return new PuzzleError(`the worker failed: ${reason}`, { cause: error });
  const message = `the worker cannot be started (${reason}); \`worker: false\` does without`;
  return new UnsupportedError(message, { cause: error });
}

/** Inputs for choosing the kind of thread. */
export type ThreadOptions = Pick<SolverOptions, "wasm" | "worker" | "threads" | "urls">;

/** Purpose of a thread. */
export type Purpose = "solver" | "laboratory";

/** The module and the worker of a thread without helpers, each with its address. */
const ALONE = {
  solver: (urls: FileUrls) => ["wasm", urls.wasm, "worker", urls.worker] as const,
  laboratory: ({ wasmLaboratory, workerLaboratory }: FileUrls) =>
    ["wasm-laboratory", wasmLaboratory, "worker-laboratory", workerLaboratory] as const,
};

/**
 * Returns a function that opens threads. It uses workers and helpers if they are requested and
 * supported.
 */
export function opener(purpose: Purpose, options: ThreadOptions): () => Promise<Thread> {
  const { wasm, urls = {} } = options;
  const hasWorker = options.worker !== false && hasWorkers();
  const threads = hasWorker ? threadCount(options.threads) : 1;
  return async () => {
    const given = wasm === undefined ? undefined : await compile(wasm);
    const isShared = purpose === "solver" && given && takesMemory(given);
    if (threads > 1 && (isShared || !given)) {
      const thread = await openTogether(given, threads - 1, urls);
      if (thread) return thread;
    }
    const [name, address, kind, url] = ALONE[purpose](urls);
    // A module for several threads cannot run on one thread, so this package's own module replaces
    // it.
    const module = given && !isShared ? given : await compileOwn(name, address);
    if (hasWorker) return WorkerThread.start({ kind, module, url });
    // The import is dynamic, so that pages with workers do not load `local.js`.
    const { LocalThread } = await import("./local.js");
    return new LocalThread(purpose, module);
  };
}

/**
 * Opens a worker with helpers; returns `undefined` if this fails for any reason.
 */
async function openTogether(
  given: WebAssembly.Module | undefined,
  helpers: number,
  urls: FileUrls,
): Promise<Thread | undefined> {
  const memory = sharedMemory();
  if (!memory) return undefined;
  try {
    const module = given ?? (await compileOwn("wasm-threads", urls.wasmThreads));
    const kind = "worker-threads";
    return await WorkerThread.start({ kind, module, url: urls.workerThreads, memory, helpers });
  } catch {
    return undefined;
  }
}

/** Maximum number of threads; more threads would gain little speed. */
const MOST_THREADS = 16;

/** The requested number of threads: by default one; 0 is the number of cores. */
function threadCount(count = 1): number {
  if (!Number.isSafeInteger(count) || count < 0) {
    throw new InputError(`threads must be a whole number from 0, not ${describe(count)}`);
  }
  return Math.min(count === 0 ? coreCount() : count, MOST_THREADS);
}

/** The caller's connection to a worker of any kind. */
export interface WorkerPort {
  post(message: unknown, transfer?: readonly ArrayBuffer[]): void;
  terminate(): void;
  /** Sets whether the process waits for the worker before it exits. */
  hold(isHeld: boolean): void;
}

/** Receives the messages of a worker. */
export interface WorkerListener {
  message(data: unknown): void;
  /** The worker has ended, or could not start. */
  failed(error: unknown): void;
}

/** Workers with a solver, with a solver in shared memory, and with a laboratory. */
export type WorkerKind = "worker" | "worker-threads" | "worker-laboratory";

function addressOf(kind: WorkerKind): URL {
  // Bundlers copy every file that a literal or a template in `new URL` can name. The variable hides
  // the name from them.
  const file = `./${kind}.js`;
  return new URL(file, import.meta.url);
}

/** Starts a worker, from the script at `url` if the caller gives an address. */
export function openWorker(kind: WorkerKind, listener: WorkerListener, url?: URL): WorkerPort {
  if (typeof Worker === "function") return openWebWorker(newWebWorker(kind, url), listener);
  const threads = nodeModule("node:worker_threads");
  if (!threads) throw new UnsupportedError("this host has no workers; use `worker: false`");
  // The worker does not inherit the options of the process, because workers reject some of them,
  // such as `--input-type`.
  const worker = new threads.Worker(url ?? addressOf(kind), { execArgv: [] });
  let isEnded = false;
  worker.on("message", (data) => listener.message(data));
  worker.on("messageerror", (error) => listener.failed(error));
  worker.on("error", (error) => listener.failed(error));
  worker.on("exit", (code) => {
    if (!isEnded) listener.failed(new Error(`the worker ended with ${code}`));
  });
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    terminate: () => {
      isEnded = true;
      void worker.terminate();
    },
    hold: (isHeld) => (isHeld ? worker.ref() : worker.unref()),
  };
}

function openWebWorker(worker: Worker, listener: WorkerListener): WorkerPort {
  worker.onmessage = (event) => listener.message(event.data);
  worker.onmessageerror = () => listener.failed(new Error("a message could not be read"));
  worker.onerror = (event) => {
    event.preventDefault?.();
    listener.failed(new Error(event.message || "the worker could not be loaded"));
  };
  const counted = worker as Worker & { ref?: () => void; unref?: () => void };
  return {
    post: (message, transfer) => worker.postMessage(message, (transfer ?? []) as Transferable[]),
    terminate: () => worker.terminate(),
    // Bun and Deno define `ref` and `unref`. Browsers do not, because pages never wait for workers.
    hold: (isHeld) => (isHeld ? counted.ref?.() : counted.unref?.()),
  };
}

function newWebWorker(kind: WorkerKind, url?: URL): Worker {
  try {
    if (url) return new Worker(url, { type: "module" });
    // Bundlers find a worker's file only if the code has this form.
    if (kind === "worker") {
      return new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    }
    return kind === "worker-threads"
      ? new Worker(new URL("./worker-threads.js", import.meta.url), { type: "module" })
      : new Worker(new URL("./worker-laboratory.js", import.meta.url), { type: "module" });
  } catch (error) {
    if ((error as Error).name !== "SecurityError") throw error;
    // The package is on another origin. Its script cannot start as a worker here, but a worker with
    // a script of this origin can import it.
    const { href } = url ?? addressOf(kind);
    const source = `import ${JSON.stringify(href)};`;
    const blob = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    return new Worker(blob, { type: "module" });
  }
}
