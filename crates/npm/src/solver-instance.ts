/** The instance of the module with the solver for one thread. */
import * as bindings from "../wasm/sliding_tile_pdb.js";
import { starter, type Bindings } from "./glue.js";

/** Returns the functions of this thread's instance. The first call creates the instance. */
export const beginSolver: (module: WebAssembly.Module) => Bindings = starter(
  "wasm",
  bindings,
  "session_add",
);
