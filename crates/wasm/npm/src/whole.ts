/** The instance of the module that has everything, for one thread. */
import * as bindings from "../wasm/sliding_tile_pdb.js";
import { link, poll, type Bindings } from "./glue.js";

let isBegun = false;

/**
 * The functions of this thread's instance, which is made of the first module given: there is one
 * instance a thread.
 */
export function beginWhole(module: WebAssembly.Module): Bindings {
  if (!isBegun) {
    link("wasm", () => {
      bindings.initSync({ module });
      bindings.on_cancel(() => poll.isCancelled());
    });
    isBegun = true;
  }
  return bindings;
}
