/** A solution as readable text: its steps in words with their moves, or its moves in rows. */
import { labelsOf, movesText, tilesOf } from "../solve/moves.ts";
import type { Solution } from "../solve/solution.ts";
import { sentence } from "../solver/error.ts";
import { ROW, stepStarts } from "./plan.ts";
import type { Notation } from "sliding-tile-pdb";

/**
 * One line per step, `1. Place tile 1 at row 1 column 1. D4L4`, or per ten moves, `11-20: U R2 D`.
 */
export function stepLines(solution: Solution, notation: Notation): string[] {
  const { board, columns, letters, ends, stretches } = solution;
  const tiles = tilesOf(board, columns, letters);
  if (stretches.length === 0) {
    const labels = labelsOf(letters, ends, tiles, notation);
    return Array.from({ length: Math.ceil(labels.length / ROW) }, (_, row) => {
      const moves = labels.slice(row * ROW, (row + 1) * ROW);
      return `${row * ROW + 1}-${row * ROW + moves.length}: ${moves.join(" ")}`;
    });
  }
  const starts = stepStarts(solution);
  return stretches.map(({ words }, step) => {
    const moves = ends.slice(starts[step], starts[step + 1] ?? ends.length);
    const begin = ends[starts[step] - 1] ?? 0;
    const end = moves.at(-1) ?? begin;
    const named = movesText(
      letters.slice(begin, end),
      moves.map((each) => each - begin),
      tiles.slice(begin, end),
      notation,
    );
    return `${step + 1}. ${sentence(words)} ${named}`.trimEnd();
  });
}
