// The calls of the module with threads that the module for one thread lacks.
export * from "../wasm/sliding_tile_pdb.js";
export function initSync(options: { module: WebAssembly.Module; memory: WebAssembly.Memory }): void;
export function start_threads(helpers: number): void;
export function work(): void;
