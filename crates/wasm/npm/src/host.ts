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

/** Starts worker.js. */
export function openWorker(listener: WorkerListener): WorkerPort {
  if (typeof Worker === "function") return openWebWorker(listener);
  const threads = nodeModule("node:worker_threads");
  if (!threads) throw new UnsupportedError("this host has no workers; use `worker: false`");
  // Not a literal: bundlers would take the file for an asset.
  const file = "./worker.js";
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

function openWebWorker(listener: WorkerListener): WorkerPort {
  const worker = newWebWorker();
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

function newWebWorker(): Worker {
  try {
    // In this form bundlers find the worker.
    return new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  } catch (error) {
    if ((error as Error).name !== "SecurityError") throw error;
    // The package comes from another origin: workers may import from there, but not begin there.
    const file = "./worker.js";
    const source = `import ${JSON.stringify(new URL(file, import.meta.url).href)};`;
    const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    return new Worker(url, { type: "module" });
  }
}
