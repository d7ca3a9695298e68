/** The instance of the module with only the rules. */
import * as bindings from "../wasm-rules/sliding_tile_pdb.js";
import { starter } from "./glue.js";

export type Rules = typeof bindings;

/** The functions of this thread's instance, which is created from the first given module. */
export const beginRules: (module: WebAssembly.Module) => Rules = starter(
  "wasm-rules",
  bindings,
  "parse",
);
