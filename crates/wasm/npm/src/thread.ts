/** Where calls run: in a worker, or here. */
import { Engine } from "./engine.js";
import {
  MemoryError,
  PuzzleError,
  UnsupportedError,
  fromWire,
  toWire,
  type WireError,
} from "./error.js";
import { begin, compile, poll } from "./glue.js";
import { canShareMemory, hasWorkers, openWorker, type WorkerPort } from "./host.js";
import type {
  Arguments,
  CancelWay,
  Event,
  FromWorker,
  OperationName,
  ToWorker,
  Value,
} from "./protocol.js";
import type { WasmSource } from "./types.js";

/** What a call needs besides its arguments. */
export interface CallTools {
  onEvent?: (event: Event) => void;
  /** Memory in the arguments that is handed over. */
  transfer?: readonly ArrayBuffer[];
  signal?: AbortSignal;
}

/** Runs one call at a time. */
export interface Thread {
  readonly way: CancelWay;
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

/** The caller's end of a worker. */
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

  /** Starts a worker with an instance of the module. */
  static start(module: WebAssembly.Module): Promise<WorkerThread> {
    return new Promise((resolve, reject) => {
      new WorkerThread(module, { resolve, reject });
    });
  }

  private constructor(module: WebAssembly.Module, started: Starting) {
    this.#started = started;
    this.#port = openWorker({
      message: (data) => this.#receive(data as FromWorker),
      failed: (error) => this.#die(whyDied(error, this.#isStarted)),
    });
    if (canShareMemory()) {
      this.#flag = new Int32Array(new SharedArrayBuffer(4));
      this.#send({ type: "begin", module, flag: this.#flag });
    } else {
      this.#live = newAddress();
      const address = this.#live;
      this.#send({ type: "begin", module, ...(address === undefined ? {} : { address }) });
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
    if (message.id !== this.#pending?.id) return;
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
    this.#port.terminate();
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

/** The caller's own thread. Calls cannot be cancelled, but from within their listeners. */
export class LocalThread implements Thread {
  readonly way = "none";
  isDead = false;
  readonly #engine: Engine;

  constructor(module: WebAssembly.Module) {
    this.#engine = new Engine(begin(module));
  }

  async call<Name extends OperationName>(
    name: Name,
    args: Arguments<Name>,
    { onEvent = () => {}, signal }: CallTools = {},
  ): Promise<Value<Name>> {
    // Callers may draw what they have to say first.
    await new Promise((resolve) => setTimeout(resolve));
    if (this.isDead) throw new PuzzleError("the solver is closed");
    this.#engine.onEvent = onEvent;
    poll.isCancelled = () => signal?.aborted ?? false;
    try {
      const work = this.#engine[name].bind(this.#engine) as (...args: unknown[]) => Value<Name>;
      return work(...args);
    } catch (thrown) {
      throw this.#failure(this.#engine.failure(thrown));
    } finally {
      poll.isCancelled = () => false;
    }
  }

  cancel(): void {}

  terminate(): void {
    if (this.isDead) return;
    this.isDead = true;
    this.#engine.close();
  }

  #failure(error: WireError): PuzzleError {
    if (error.isFatal) {
      this.isDead = true;
      this.#engine.abandon();
    }
    return fromWire(error);
  }
}

/** Opens threads of the kind that the caller wants and the host has. */
export function opener(options: { wasm?: WasmSource; worker?: boolean }): () => Promise<Thread> {
  return async () => {
    const module = await compile(options.wasm);
    if (options.worker === false || !hasWorkers()) return new LocalThread(module);
    return WorkerThread.start(module);
  };
}
