/** Threads for calls: a worker, or the caller's own. */
import { MemoryError, PuzzleError, UnsupportedError, fromWire, toWire } from "./error.js";
import { canShareMemory, coreCount, hasWorkers, sharedMemory } from "./host.js";
import { compile, compileOwn, takesMemory } from "./module.js";
import type {
  Arguments,
  CancelWay,
  Event,
  FromWorker,
  OperationName,
  ToWorker,
  Value,
} from "./protocol.js";
import { openWorker, type WorkerListener, type WorkerPort } from "./port.js";
import { wholeOf } from "./request.js";
import type { FileUrls, WasmSource } from "./types.js";

/** Data of a call besides its arguments. */
export interface CallTools {
  onEvent?: (event: Event) => void;
  /** Memory in the arguments that is handed over. */
  transfer?: readonly ArrayBuffer[];
  signal?: AbortSignal;
}

/** Runs one call at a time. */
export interface Thread {
  readonly way: CancelWay;
  /** Number of threads: the worker that is called, and its helpers. */
  readonly threads: number;
  /** Whether no call will be answered any more. */
  readonly isDead: boolean;
  call<Name extends OperationName>(
    name: Name,
    args: Arguments<Name>,
    tools?: CallTools,
  ): Promise<Value<Name>>;
  /** Asks the call that runs to end. */
  cancel(): void;
  /** Ends the thread; the call that runs is rejected. */
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

/** Members of a group of workers. */
export interface Crew {
  memory: WebAssembly.Memory;
  /** Number of helpers of the worker that is called. */
  helpers: number;
}

/** The caller's end of a worker, and of those that help it. */
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

  /** The others that share the worker's memory. */
  readonly #helpers: WorkerPort[] = [];
  /** Those of them that are still to come. */
  #awaited = 0;

  /** Starts a worker with an instance of the module, and where there is a crew, its helpers. */
  static start(module: WebAssembly.Module, url?: URL, crew?: Crew): Promise<WorkerThread> {
    return new Promise((resolve, reject) => {
      new WorkerThread(module, url, crew, { resolve, reject });
    });
  }

  private constructor(
    module: WebAssembly.Module,
    url: URL | undefined,
    crew: Crew | undefined,
    started: Starting,
  ) {
    this.#started = started;
    const failed = (error: unknown) => this.#die(whyDied(error, this.#isStarted));
    const message = (data: unknown) => this.#receive(data as FromWorker);
    this.#port = openWorker(crew ? "together" : "alone", { message, failed }, url);
    if (canShareMemory()) {
      this.#flag = new Int32Array(new SharedArrayBuffer(8));
    } else {
      this.#live = newAddress();
    }
    const [flag, address, memory] = [this.#flag, this.#live, crew?.memory];
    try {
      this.#send({
        type: "begin",
        module,
        ...(flag ? { flag } : {}),
        ...(address === undefined ? {} : { address }),
        ...(memory ? { memory } : {}),
      });
      if (crew && flag) this.#gather(module, url, crew, flag, failed);
    } catch (error) {
      failed(error);
    }
  }

  get threads(): number {
    return this.#helpers.length + 1;
  }

  /**
   * Starts the helpers, from here and not from the worker that they help: that worker receives
   * nothing while it works, so it would miss the failure of a helper.
   */
  #gather(
    module: WebAssembly.Module,
    url: URL | undefined,
    { memory, helpers }: Crew,
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
      const port = openWorker("together", { message, failed }, url);
      this.#helpers.push(port);
      // They never end; the process waits only for the worker that is called.
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
        const call = { type: "call", id, name, args } as const;
        this.#send(address === undefined ? call : { ...call, address }, transfer);
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

  /** The call that ran is over. */
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
    // Browsers let a worker that is busy go on for seconds; one that is told ends by itself.
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
  if (isStarted) return new PuzzleError(`the worker failed: ${reason}`, "error", { cause: error });
  const message = `the worker cannot be started (${reason}); \`worker: false\` does without`;
  return new UnsupportedError(message, { cause: error });
}

/** Inputs of the choice between kinds of threads. */
export interface ThreadOptions {
  wasm?: WasmSource;
  worker?: boolean;
  /** As in `SolverOptions`. */
  threads?: number;
  urls?: FileUrls;
}

/** Opens threads of the kind that the caller wants and the host has. */
export function opener(options: ThreadOptions): () => Promise<Thread> {
  const { wasm, urls = {} } = options;
  const hasWorker = options.worker !== false && hasWorkers();
  const threads = hasWorker ? threadCount(options.threads) : 1;
  return async () => {
    const given = wasm === undefined ? undefined : await compile(wasm);
    const isShared = given && takesMemory(given);
    if (threads > 1 && isShared !== false) {
      const thread = await openTogether(given, threads - 1, urls);
      if (thread) return thread;
    }
    // The given file is for several threads, which are not available: the package's own file is
    // used.
    const module = given && !isShared ? given : await compileOwn("wasm", urls.wasm);
    if (hasWorker) return WorkerThread.start(module, urls.worker);
    // Pages with workers do without the code.
    const { LocalThread } = await import("./local.js");
    return new LocalThread(module);
  };
}

/**
 * A worker with helpers, where that is possible. If not, whatever the reason, one thread will do.
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
    return await WorkerThread.start(module, urls.workerThreads, { memory, helpers });
  } catch {
    return undefined;
  }
}

/** More threads than this are more trouble than they are worth. */
const MOST_THREADS = 16;

/** The threads that are wanted: one, unless told otherwise; 0 means as many as there are cores. */
function threadCount(wanted: number | undefined): number {
  const count = wholeOf(wanted ?? 1, "threads");
  return Math.min(count === 0 ? coreCount() : count, MOST_THREADS);
}
