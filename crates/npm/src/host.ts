/**
 * Features of the host: Node's modules, workers, shared memory. Each feature is detected when it is
 * needed.
 */

/** The functions of Node's modules that are used here. */
interface NodeModules {
  "node:fs/promises": {
    readFile(path: URL): Promise<Uint8Array>;
    stat(path: URL): Promise<{ size: number }>;
  };
  "node:worker_threads": {
    Worker: new (file: URL, options: { execArgv: string[] }) => NodeWorker;
    parentPort: NodePort | null;
  };
  "node:os": { availableParallelism(): number };
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
 * A module of Node, if the host has it. The module is not loaded by `import`, because bundlers for
 * browsers would follow the import.
 */
export function nodeModule<Name extends keyof NodeModules>(
  name: Name,
): NodeModules[Name] | undefined {
  const { process } = globalThis as {
    process?: { getBuiltinModule?: (name: string) => unknown };
  };
  return process?.getBuiltinModule?.(name) as NodeModules[Name] | undefined;
}

/**
 * Whether memory can be shared with workers. Browsers require cross-origin isolated pages for it.
 */
export function canShareMemory(): boolean {
  const { crossOriginIsolated } = globalThis as { crossOriginIsolated?: boolean };
  return typeof SharedArrayBuffer === "function" && crossOriginIsolated !== false;
}

/** The number of processors available to threads. */
export function coreCount(): number {
  const { navigator } = globalThis as { navigator?: { hardwareConcurrency?: number } };
  return navigator?.hardwareConcurrency || nodeModule("node:os")?.availableParallelism() || 1;
}

/**
 * Maximum sizes of the memory, tried in this order, in pages of 64 KiB. The first is the largest
 * that can be addressed.
 */
const LIMITS = [65536, 16384];
/** Initial size in pages. */
const FIRST_PAGES = 64;

/**
 * Memory for several threads; `undefined` if the host does not support it, or has no address space
 * left for it.
 */
export function sharedMemory(): WebAssembly.Memory | undefined {
  if (!canShareMemory() || typeof WebAssembly !== "object") return undefined;
  for (const maximum of LIMITS) {
    try {
      const memory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum, shared: true });
      if (memory.buffer instanceof SharedArrayBuffer) return memory;
    } catch {
      // Try the next smaller size.
    }
  }
  return undefined;
}

/** Whether the host has workers at all. */
export function hasWorkers(): boolean {
  return typeof Worker === "function" || nodeModule("node:worker_threads") !== undefined;
}
