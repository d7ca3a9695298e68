/** Playback of moves that the visitor entered, or that a link contains. */
import type { Report } from "sliding-tile-pdb";
import { panel } from "../common/panel.svelte.ts";
import { game } from "../game/game.svelte.ts";
import { isSame } from "../game/rules.ts";
import { solvers } from "../solver/cache.svelte.ts";
import { boardAfter } from "./moves.ts";
import { gameKey, playback } from "./playback.svelte.ts";
import { search } from "./search.svelte.ts";
import { solutionOf } from "./solution.ts";

/**
 * Prepares moves for playback: single letters, which must be possible on the current board. `found`
 * is the report of the search that found the moves, if any. Returns whether the moves solve the
 * board.
 */
export function enter(
  letters: string,
  { found, isFromLink = false }: { found?: Report; isFromLink?: boolean } = {},
): boolean {
  const { tiles: board, goal, columns, moves: prefix } = game;
  const metric = found ? "single" : solvers.metric;
  const solves = isSame(boardAfter(board, columns, letters), goal);
  const question = { game: gameKey(game), prefix, board, columns, metric };
  search.reset();
  panel.show("solve");
  if (found) {
    playback.begin(solutionOf(question, { ...found, moves: letters }));
    return solves;
  }
  const solution = solutionOf(question, { status: "solved", moves: letters });
  const report = { ...solution.report, length: solution.ends.length };
  playback.begin({ ...solution, report, entered: { solves, isFromLink } });
  return solves;
}
