import { write, type Address } from "./address.ts";
import { Game, type Kept } from "./game.svelte.ts";
import { isSame, ordered } from "./rules.ts";

/**
 * A game as stored in a tab, with the addresses from which a reload continues this game: the page's
 * address when the game was stored, and the addresses that were replaced shortly before.
 */
export interface Saved extends Kept {
  addresses: string[];
}

/** The address of the current board. */
export function addressOf(game: Game): string {
  const { columns, rows, tiles, goal } = game;
  return write({ columns, rows, tiles, goal });
}

/**
 * Whether an address refers to the stored game; if so, the page continues that game, including its
 * moves. The address refers to the game if it contains the game's board, or if the page had this
 * address when the game was stored. The second case occurs if the page is reloaded right after a
 * move, before the browser has stored the new address.
 */
export function goesOn(kept: unknown, address: Address, hash: string): boolean {
  const game = new Game();
  if (!game.restore(kept)) return false;
  const { addresses: own } = kept as Partial<Saved>;
  if (Array.isArray(own) && own.includes(hash)) return true;
  // A link with moves starts a new game at the link's board. The stored game is not continued even
  // if its current board is the same.
  if (address.moves !== undefined) return false;
  const { columns, rows, tiles, goal = ordered(columns * rows) } = address;
  return (
    tiles !== undefined &&
    game.columns === columns &&
    game.rows === rows &&
    isSame(game.tiles, tiles) &&
    isSame(game.goal, goal)
  );
}
