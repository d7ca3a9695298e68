/**
 * Sliding-tile puzzles solved optimally with pattern databases, in WebAssembly.
 *
 * - {@link loadPuzzle}: the rules of the puzzle (boards, solvability, scrambles, moves).
 * - {@link createSolver}: a solver with its tables, in a worker (solutions, hints, ratings).
 * - {@link createLaboratory}: comparisons of textbook heuristics and searches, in a worker.
 *
 * @packageDocumentation
 */
export {
  CancelledError,
  DownloadError,
  InputError,
  LimitError,
  MemoryError,
  PuzzleError,
  StorageError,
  TableError,
  UnsolvableError,
  UnsupportedError,
  type ErrorCode,
} from "./error.js";
export { createLaboratory, type Laboratory } from "./laboratory.js";
export { loadPuzzle, type Puzzle } from "./puzzle.js";
export { createSolver, type Solver } from "./solver.js";
export { forgetTables, storedTables } from "./storage.js";
export type * from "./types.js";
