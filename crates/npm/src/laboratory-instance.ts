/** The instance of the module with the laboratory. */
import * as bindings from "../wasm-laboratory/sliding_tile_pdb.js";
import { starter, type Bindings } from "./glue.js";

/** Returns the functions of this thread's instance. The first call creates the instance. */
export const beginLaboratory: (module: WebAssembly.Module) => Bindings = starter(
  "wasm-laboratory",
  bindings,
  "on_cancel",
  "session_add",
);
