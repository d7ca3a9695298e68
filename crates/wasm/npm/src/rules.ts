/** The instance of the module with only the rules. */
import * as bindings from "../wasm-rules/sliding_tile_pdb.js";
import { link } from "./glue.js";

let isBegun = false;

export type Rules = typeof bindings;

/** The functions of this thread's instance, which is created from the first given module. */
export function beginRules(module: WebAssembly.Module): Rules {
  if (!isBegun) link("wasm-rules", () => bindings.initSync({ module }));
  isBegun = true;
  return bindings;
}
