/**
 * Features of the host: Node's modules, workers, shared memory. Detected when needed.
 */

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

/** Whether the host has workers at all. */
export function hasWorkers(): boolean {
  return typeof Worker === "function" || nodeModule("node:worker_threads") !== undefined;
}
