/**
 * Workers of either host, as their callers see them. Not for code that workers themselves have:
 * bundlers would find workers in workers without end.
 */
import { UnsupportedError } from "./error.js";
import { nodeModule } from "./host.js";

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

/** Workers that work alone, or together. */
export type WorkerKind = "alone" | "together";

const files: Record<WorkerKind, string> = {
  alone: "./worker.js",
  together: "./worker-threads.js",
};

/** Starts a worker; `url` is the address of its script where the caller gives one. */
export function openWorker(kind: WorkerKind, listener: WorkerListener, url?: URL): WorkerPort {
  if (typeof Worker === "function") return openWebWorker(newWebWorker(kind, url), listener);
  const threads = nodeModule("node:worker_threads");
  if (!threads) throw new UnsupportedError("this host has no workers; use `worker: false`");
  // Not a literal: bundlers would take the file for an asset.
  const file = files[kind];
  // Not with the process's own options: some, such as `--input-type`, are not for workers.
  const worker = new threads.Worker(url ?? new URL(file, import.meta.url), { execArgv: [] });
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
    // Of Bun and Deno alone; pages do not wait for workers.
    hold: (isHeld) => (isHeld ? counted.ref?.() : counted.unref?.()),
  };
}

function newWebWorker(kind: WorkerKind, url?: URL): Worker {
  try {
    if (url) return new Worker(url, { type: "module" });
    // In this form bundlers find the workers.
    return kind === "alone"
      ? new Worker(new URL("./worker.js", import.meta.url), { type: "module" })
      : new Worker(new URL("./worker-threads.js", import.meta.url), { type: "module" });
  } catch (error) {
    if ((error as Error).name !== "SecurityError") throw error;
    // The package comes from another origin: workers may import from there, but not begin there.
    const { href } = url ?? new URL(files[kind], import.meta.url);
    const source = `import ${JSON.stringify(href)};`;
    const blob = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    return new Worker(blob, { type: "module" });
  }
}
