// Solves a board, finds all solutions of another board, and cancels the search of a third one.
//
//   node solve.mjs ["5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13"]
import { createSolver, PuzzleError } from "sliding-tile-pdb";

const board = process.argv[2] ?? "5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13";

try {
  const solver = await createSolver({ size: "4x4", partition: "6-6-3" });
  console.log(`tables ${solver.partition} built in ${solver.ms.toFixed(0)} ms`);
  const report = await solver.solve(board);
  console.log(`${report.length} moves: ${report.moves}`);

  const small = await createSolver({ size: "3x3" });
  const all = await small.allSolutions("8 6 7/2 5 4/3 0 1");
  console.log(`${all.count} solutions of ${all.length} moves`);

  const signal = AbortSignal.timeout(100);
  const hard = "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1";
  await solver.solve(hard, { signal }).catch((error) => console.log(error.code));
} catch (error) {
  if (!(error instanceof PuzzleError)) throw error;
  console.error(`${error.code}: ${error.message}`);
  process.exitCode = 1;
}
