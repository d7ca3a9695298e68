// Replaces the module for several threads in a package built without it (`--no-threads` of
// scripts/build/npm.sh). No worker can start with it, so solvers have one thread.
export * from "../wasm/sliding_tile_pdb.js";

function missing() {
  throw new Error("this package was built without threads");
}
export { missing as initSync, missing as start_threads, missing as work };
