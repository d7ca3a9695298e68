import { game } from "../game/game.svelte.ts";
import { replaceGame } from "../game/session.svelte.ts";
import { withBlankAt } from "./preset.ts";

/** Makes the piece on `cell` the missing piece, in the goal and on the board. */
export function leaveOut(cell: number): void {
  if (game.goal[cell] === 0) return;
  const { goal, names } = withBlankAt(game.goal, cell);
  const tiles = game.tiles.map((tile) => names[tile]);
  replaceGame(() => game.open(game.columns, game.rows, tiles, goal));
}
