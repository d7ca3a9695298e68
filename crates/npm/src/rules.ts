/** The instance of the module with only the rules. */
import * as bindings from "../wasm-rules/sliding_tile_pdb.js";
import { starter } from "./glue.js";

export type Rules = typeof bindings;

/** Returns the functions of this thread's instance. The first call creates the instance. */
export const beginRules: (module: WebAssembly.Module) => Rules = starter(
  "wasm-rules",
  bindings,
  "session_call",
);
