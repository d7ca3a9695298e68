/**
 * Random boards that are not solved yet. Only games on these boards have results: with an entered
 * board, or a board a few moves from its goal, any record would be possible.
 */
import { load, save } from "../common/store.ts";
import { boardText } from "../game/rules.ts";

/** The parts of a game that identify its board. */
export interface DealtGame {
  readonly start: readonly number[];
  readonly columns: number;
  readonly goalText: string;
}

/**
 * Maximum number of stored boards. Boards of earlier games stay stored, since Undo can restore
 * them.
 */
const MOST = 8;

const keyOf = ({ start, columns, goalText }: DealtGame): string =>
  `${boardText(start, columns)}|${goalText}`;

function kept(): string[] {
  const found = load("dealt");
  return Array.isArray(found) ? found.filter((each) => typeof each === "string") : [];
}

export function noteDealt(game: DealtGame): void {
  const key = keyOf(game);
  save("dealt", [key, ...kept().filter((each) => each !== key)].slice(0, MOST));
}

export const isDealt = (game: DealtGame): boolean => kept().includes(keyOf(game));

/** Whether the game's board was random and has no result yet. Each board can have one result. */
export function takeDealt(game: DealtGame): boolean {
  const key = keyOf(game);
  const all = kept();
  if (!all.includes(key)) return false;
  save(
    "dealt",
    all.filter((each) => each !== key),
  );
  return true;
}
