/** Common interface of the instances of all modules. */
import type * as whole from "../wasm/sliding_tile_pdb.js";
import { InputError, MemoryError, UnsupportedError, toWire, type WireError } from "./error.js";

/** The functions that solvers, and laboratories where there are some, are made of. */
export type Bindings = Pick<
  typeof whole,
  "Loader" | "sha256" | "memory_bytes" | "last_panic" | "on_cancel"
> & { Laboratory?: typeof whole.Laboratory };

/** Called during long calls to ask whether to end; the caller of an operation sets it. */
export const poll = { isCancelled: (): boolean => false };

/** Makes an instance; says what is the matter where the module is not the one that it must be. */
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

/** The thrown object. A trap has its reason, except at the end of memory. */
export function failureOf(bindings: Pick<Bindings, "last_panic">, thrown: unknown): WireError {
  const error = toWire(thrown);
  if (!(thrown instanceof WebAssembly.RuntimeError)) return error;
  const said = bindings.last_panic();
  if (said) return { ...error, message: said };
  return { ...error, code: "memory", message: `out of memory (${error.message})` };
}
