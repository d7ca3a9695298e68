import { write, type Address } from "./address.ts";
import { Game, type Kept } from "./game.svelte.ts";
import { isSame, ordered } from "./rules.ts";

/** A game as a tab keeps it, with the addresses that the page had when it was, or a moment before. */
export interface Saved extends Kept {
  addresses: string[];
}

/** The address of the board as it is now. */
export function addressOf(game: Game): string {
  const { columns, rows, tiles, goal } = game;
  return write({ columns, rows, tiles, goal });
}

/**
 * Whether the kept game is the one that an address means, so that it goes on with its moves: it has
 * that board, or that very address was the page's own when the game was kept. The latter is so when
 * a page is loaded anew right after a move: with the address that the browser knew of last.
 */
export function goesOn(kept: unknown, address: Address, hash: string): boolean {
  const game = new Game();
  if (!game.restore(kept)) return false;
  const { addresses: own } = kept as Partial<Saved>;
  if (Array.isArray(own) && own.includes(hash)) return true;
  // Moves of a link begin at its board, whatever game once came to it.
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
