/**
 * The caller's view of workers, in browsers and Node. Workers must not import this module: bundlers
 * would find workers within workers endlessly.
 */
import { UnsupportedError } from "./error.js";
import { nodeModule } from "./host.js";

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
