// Types of the module for several threads: those of the module for one thread, and the functions
// below.
export * from "../wasm/sliding_tile_pdb.js";
export function initSync(options: { module: WebAssembly.Module; memory: WebAssembly.Memory }): void;
export function start_threads(helpers: number): void;
export function work(): void;
