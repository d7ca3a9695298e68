import { statSync } from "node:fs";

/** The module that `scripts/build/npm.sh --no-threads` leaves has no contents: 8 bytes. */
const PLACEHOLDER = 8;

/** Whether the package that the page is built with has the module for several threads. */
export function hasThreads(): boolean {
  const file = new URL("../../npm/wasm-threads/sliding_tile_pdb_bg.wasm", import.meta.url);
  const found = statSync(file, { throwIfNoEntry: false });
  return found !== undefined && found.size > PLACEHOLDER;
}
