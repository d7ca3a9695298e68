// Stands for the module with threads in a package that was built without it (`--no-threads` of
// scripts/build/npm.sh). No worker starts with it, and solvers have one thread.
export * from "../wasm/sliding_tile_pdb.js";

function missing() {
  throw new Error("this package was built without threads");
}
export { missing as initSync, missing as start_threads, missing as work };
