/** The instance of the complete module, for one thread. */
import * as bindings from "../wasm/sliding_tile_pdb.js";
import { link, poll, type Bindings } from "./glue.js";

let isBegun = false;

/**
 * The functions of this thread's only instance, which is created from the first given module.
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
