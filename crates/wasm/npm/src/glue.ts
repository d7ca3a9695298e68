/** What the instances of all modules have in common. */
import type * as whole from "../wasm/sliding_tile_pdb.js";
import { InputError, MemoryError, UnsupportedError, toWire, type WireError } from "./error.js";

/** The functions that solvers, and laboratories where there are some, are made of. */
export type Bindings = Pick<
  typeof whole,
  "Loader" | "sha256" | "memory_bytes" | "last_panic" | "on_cancel"
> & { Laboratory?: typeof whole.Laboratory };

/** Asked during long calls whether to end; whoever runs a call says how it knows. */
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

/** What was thrown, as an object. A trap says why it came, but for the end of memory. */
export function failureOf(bindings: Pick<Bindings, "last_panic">, thrown: unknown): WireError {
  const error = toWire(thrown);
  if (!(thrown instanceof WebAssembly.RuntimeError)) return error;
  const said = bindings.last_panic();
  if (said) return { ...error, message: said };
  return { ...error, code: "memory", message: `out of memory (${error.message})` };
}
