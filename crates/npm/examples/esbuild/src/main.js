import { createSolver } from "sliding-tile-pdb";

const address = (name) => new URL(name, import.meta.url);
const solver = await createSolver({
  size: "4x4",
  threads: 0,
  urls: {
    worker: address("worker.js"),
    workerThreads: address("worker-threads.js"),
    wasm: address("wasm.wasm"),
    wasmThreads: address("wasm-threads.wasm"),
  },
});
const board = "5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13";
const { length, moves } = await solver.solve(board);
document.querySelector("output").textContent = `${length} moves: ${moves}`;
