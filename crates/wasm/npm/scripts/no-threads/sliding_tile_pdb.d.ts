// Functions of the threaded module that the module for one thread does not have.
export * from "../wasm/sliding_tile_pdb.js";
export function initSync(options: { module: WebAssembly.Module; memory: WebAssembly.Memory }): void;
export function start_threads(helpers: number): void;
export function work(): void;
