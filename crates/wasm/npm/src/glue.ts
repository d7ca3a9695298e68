/** Common interface of the instances of all modules. */
import type * as laboratory from "../wasm-laboratory/sliding_tile_pdb.js";
import type * as solver from "../wasm/sliding_tile_pdb.js";
import { InputError, MemoryError, UnsupportedError, toWire, type WireError } from "./error.js";

/** The functions of the two modules with solvers: for one thread, and for several threads. */
export type SolverBindings = Pick<
  typeof solver,
  "Loader" | "sha256" | "memory_bytes" | "last_panic"
>;

/** The functions of the module with the laboratory. */
export type LaboratoryBindings = Pick<typeof laboratory, "Laboratory" | "last_panic">;

/** The functions of a module that create its instance. */
interface Starting {
  initSync(options: { module: WebAssembly.Module }): unknown;
  on_cancel?(check: () => boolean): void;
}

/** Long calls ask `isCancelled` whether to stop. Each thread sets its own function. */
export const poll = { isCancelled: (): boolean => false };

/** Creates an instance; throws a readable error if the module is the wrong one. */
export function link(name: string, make: () => unknown): void {
  try {
    make();
  } catch (cause) {
    if (cause instanceof RangeError) throw new MemoryError(cause.message, { cause });
    const isForeign = cause instanceof WebAssembly.LinkError || cause instanceof TypeError;
    if (!isForeign) throw new UnsupportedError((cause as Error).message, { cause });
    const message = `the module given is not \`${name}\` of this package and version`;
    throw new InputError(message, { cause });
  }
}

/**
 * Returns a function for this thread's only instance. The function's first call creates the
 * instance; later calls return the same instance. The check for the export `needed` rejects foreign
 * modules, which link without an error if the bindings provide all of their imports.
 */
export function starter<Bindings extends Starting>(
  name: string,
  bindings: Bindings,
  needed: string,
) {
  let isBegun = false;
  return (module: WebAssembly.Module): Bindings => {
    if (isBegun) return bindings;
    link(name, () => {
      const exported = WebAssembly.Module.exports(module);
      if (!exported.some(({ name }) => name === needed)) throw new TypeError(`no ${needed}`);
      bindings.initSync({ module });
    });
    bindings.on_cancel?.(() => poll.isCancelled());
    isBegun = true;
    return bindings;
  };
}

/** The error for an exception. A trap without a panic message means that memory ran out. */
export function failureOf(bindings: { last_panic(): string }, thrown: unknown): WireError {
  const error = toWire(thrown);
  if (!(thrown instanceof WebAssembly.RuntimeError)) return error;
  const said = bindings.last_panic();
  if (said) return { ...error, message: said };
  return { ...error, code: "memory", message: `out of memory (${error.message})` };
}
