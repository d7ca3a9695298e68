/** What the host has: Node's modules, workers, shared memory. Found out when asked, never guessed. */
import { UnsupportedError } from "./error.js";

/** The few functions of Node's modules that are used. */
interface NodeModules {
  "node:fs/promises": {
    readFile(path: URL): Promise<Uint8Array>;
    open(path: URL): Promise<NodeFile>;
  };
  "node:worker_threads": {
    Worker: new (file: URL, options: { execArgv: string[] }) => NodeWorker;
    parentPort: NodePort | null;
  };
  "node:os": { availableParallelism(): number };
}

interface NodeFile {
  stat(): Promise<{ size: number }>;
  read(
    buffer: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ bytesRead: number }>;
  close(): Promise<void>;
}

interface NodePort {
  postMessage(message: unknown, transfer?: readonly ArrayBuffer[]): void;
  on(event: string, listener: (value: unknown) => void): void;
}

interface NodeWorker extends NodePort {
  ref(): void;
  unref(): void;
  terminate(): Promise<number>;
}

/**
 * A module of Node, in hosts that have it. Not by `import`: bundlers for browsers would follow it.
 */
export function nodeModule<Name extends keyof NodeModules>(
  name: Name,
): NodeModules[Name] | undefined {
  const { process } = globalThis as {
    process?: { getBuiltinModule?: (name: string) => unknown };
  };
  return process?.getBuiltinModule?.(name) as NodeModules[Name] | undefined;
}

/** Whether memory can be shared with workers. Browsers allow it to cross-origin isolated pages. */
export function canShareMemory(): boolean {
  const { crossOriginIsolated } = globalThis as { crossOriginIsolated?: boolean };
  return typeof SharedArrayBuffer === "function" && crossOriginIsolated !== false;
}

/** The processors that the host lets its threads have. */
export function coreCount(): number {
  const { navigator } = globalThis as { navigator?: { hardwareConcurrency?: number } };
  return navigator?.hardwareConcurrency || nodeModule("node:os")?.availableParallelism() || 1;
}

/** Pages of 64 KiB that a module may come to have, from as many as it can name downwards. */
const LIMITS = [65536, 16384];
/** Pages that it begins with. */
const FIRST_PAGES = 64;

/**
 * Memory for several threads; `undefined` where the host has none, or no addresses left to reserve
 * for it.
 */
export function sharedMemory(): WebAssembly.Memory | undefined {
  if (!canShareMemory() || typeof WebAssembly !== "object") return undefined;
  for (const maximum of LIMITS) {
    try {
      const memory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum, shared: true });
      if (memory.buffer instanceof SharedArrayBuffer) return memory;
    } catch {
      // The next one is smaller.
    }
  }
  return undefined;
}

/** The caller's end of a worker, whichever kind it is. */
export interface WorkerPort {
  post(message: unknown, transfer?: readonly ArrayBuffer[]): void;
  terminate(): void;
  /** Says whether an unfinished process should wait for the worker. */
  hold(isHeld: boolean): void;
}

/** Hears what a worker says. */
export interface WorkerListener {
  message(data: unknown): void;
  /** The worker is no more, or never was. */
  failed(error: unknown): void;
}

/** Whether the host has workers at all. */
export function hasWorkers(): boolean {
  return typeof Worker === "function" || nodeModule("node:worker_threads") !== undefined;
}

/** Workers that work alone, or together. */
export type WorkerKind = "alone" | "together";

const files: Record<WorkerKind, string> = {
  alone: "./worker.js",
  together: "./worker-threads.js",
};

/** Starts a worker. */
export function openWorker(kind: WorkerKind, listener: WorkerListener): WorkerPort {
  if (typeof Worker === "function") return openWebWorker(kind, listener);
  const threads = nodeModule("node:worker_threads");
  if (!threads) throw new UnsupportedError("this host has no workers; use `worker: false`");
  // Not a literal: bundlers would take the file for an asset.
  const file = files[kind];
  // Not with the process's own options: some, such as `--input-type`, are not for workers.
  const worker = new threads.Worker(new URL(file, import.meta.url), { execArgv: [] });
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

function openWebWorker(kind: WorkerKind, listener: WorkerListener): WorkerPort {
  const worker = newWebWorker(kind);
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
    // Of Bun and Deno alone; pages do not wait for workers.
    hold: (isHeld) => (isHeld ? counted.ref?.() : counted.unref?.()),
  };
}

function newWebWorker(kind: WorkerKind): Worker {
  try {
    // In this form bundlers find the workers.
    return kind === "alone"
      ? new Worker(new URL("./worker.js", import.meta.url), { type: "module" })
      : new Worker(new URL("./worker-threads.js", import.meta.url), { type: "module" });
  } catch (error) {
    if ((error as Error).name !== "SecurityError") throw error;
    // The package comes from another origin: workers may import from there, but not begin there.
    const file = files[kind];
    const source = `import ${JSON.stringify(new URL(file, import.meta.url).href)};`;
    const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    return new Worker(url, { type: "module" });
  }
}
