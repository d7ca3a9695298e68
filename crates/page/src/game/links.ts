/** Links to this page with a board, and optionally a goal, moves and a picture. */
import { addressOf } from "./saved.ts";
import { write } from "./address.ts";
import type { Game } from "./game.svelte.ts";
import type { Solution } from "../solve/solution.ts";

/** Link length in bytes that all common programs accept. */
export const SAFE_LENGTH = 8000;

const page = (): string => location.href.replace(/#.*/, "");

/** Content that a link opens. */
export type LinkKind = "board" | "solution" | "game";

/** A link to the given content. `solution` is the solution of the current game, if any. */
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
