/** Common interface of the instances of all modules. */
import type * as whole from "../wasm/sliding_tile_pdb.js";
import { InputError, MemoryError, UnsupportedError, toWire, type WireError } from "./error.js";

/** The functions of solvers and, if the module has them, of laboratories. */
export type Bindings = Pick<
  typeof whole,
  "Loader" | "sha256" | "memory_bytes" | "last_panic" | "on_cancel"
> & { Laboratory?: typeof whole.Laboratory };

/** Called during long calls; returns whether to stop. The caller of an operation sets it. */
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

/** The error of an exception. A trap has its panic message, unless memory ran out. */
export function failureOf(bindings: Pick<Bindings, "last_panic">, thrown: unknown): WireError {
  const error = toWire(thrown);
  if (!(thrown instanceof WebAssembly.RuntimeError)) return error;
  const said = bindings.last_panic();
  if (said) return { ...error, message: said };
  return { ...error, code: "memory", message: `out of memory (${error.message})` };
}
