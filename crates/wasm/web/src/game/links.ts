/** Links to this page that have a board, and what goes with it. */
import { addressOf } from "./saved.ts";
import { write } from "./address.ts";
import type { Game } from "./game.svelte.ts";
import type { Solution } from "../solve/solution.ts";

/** Programs that pass links on take at least this many bytes. */
export const SAFE_LENGTH = 8000;

const page = (): string => location.href.replace(/#.*/, "");

/** Contents that a link opens. */
export type LinkKind = "board" | "solution" | "game";

/** The link; `solution` is the one of this game, where there is one. */
export function linkTo(
  kind: LinkKind,
  game: Game,
  solution: Solution | null,
  picture?: string,
): string {
  const { columns, rows, goal } = game;
  const shared = { columns, rows, goal, ...(picture && { picture }) };
  if (kind === "game") {
    return page() + write({ ...shared, tiles: game.start, moves: game.moves });
  }
  if (kind === "solution" && solution) {
    return page() + write({ ...shared, tiles: [...solution.board], moves: solution.letters });
  }
  return page() + (picture ? write({ ...shared, tiles: game.tiles }) : addressOf(game));
}
