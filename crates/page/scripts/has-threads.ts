import { statSync } from "node:fs";

/** Bytes of the empty module that `scripts/build/npm.sh --no-threads` leaves. */
const PLACEHOLDER = 8;

/** Whether the package of this build has the module for several threads. */
export function hasThreads(): boolean {
  const file = new URL("../../npm/wasm-threads/sliding_tile_pdb_bg.wasm", import.meta.url);
  const found = statSync(file, { throwIfNoEntry: false });
  return found !== undefined && found.size > PLACEHOLDER;
}
