/** Best times and fewest moves by size and kind of goal, stored in this browser for all tabs. */
import type { Game } from "../game/game.svelte.ts";
import { load, save } from "../common/browser.ts";
import { boardText, isSide } from "sliding-tile-pdb/board-rules";
import { presetNames, presetOf } from "../goal/preset.ts";

/** The best time and the fewest moves, which may be those of two games. */
export interface Best {
  /** Whole milliseconds. */
  readonly ms: number;
  readonly moves: number;
}

/** Comparison of a result with the earlier best of its list. */
export interface Standing {
  /** Name of the list. */
  name: string;
  /** Whether the result is faster than all earlier results; false for the list's first result. */
  isFastest: boolean;
  /** Whether the result has fewer moves than all earlier results; false for the first result. */
  isShortest: boolean;
}

/** The kinds of goals with their own lists. All goals arranged by hand share one list. */
const goalKinds = [...presetNames, "own"] as const;
type GoalKind = (typeof goalKinds)[number];

/** The name of the list for the results of a game, such as `4x4 blank-last`. */
export function listOf(game: { size: string; goal: readonly number[]; columns: number }): string {
  return `${game.size} ${presetOf(game.goal, game.columns) ?? "own"}`;
}

/** Reads the size and the kind of goal from a list's name; `null` if the name is invalid. */
export function readName(name: string): { size: string; kind: GoalKind } | null {
  const [, size, columns, rows, kind] = /^((\d+)x(\d+)) (.+)$/.exec(name) ?? [];
  if (!size || !isSide(Number(columns)) || !isSide(Number(rows))) return null;
  return goalKinds.includes(kind as GoalKind) ? { size, kind: kind as GoalKind } : null;
}

const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;

/** The stored lists, without damaged entries. */
function stored(): Map<string, Best> {
  const kept = (load("records") ?? {}) as Record<string, Best | null>;
  const isSound = (name: string, best: Best | null): best is Best =>
    readName(name) !== null && isCount(best?.ms) && isCount(best?.moves);
  return new Map(
    Object.entries(kept).filter((entry): entry is [string, Best] => isSound(...entry)),
  );
}

export class Records {
  lists = $state.raw<ReadonlyMap<string, Best>>(stored());

  /** Reloads the lists when another tab changes them. The returned function stops this. */
  follow(): () => void {
    const hear = () => (this.lists = stored());
    addEventListener("storage", hear);
    return () => removeEventListener("storage", hear);
  }

  add(name: string, { ms, moves }: Best): Standing {
    // If the browser stores nothing, the results of this visit stay in memory.
    const lists = new Map([...this.lists, ...stored()]);
    const before = lists.get(name);
    lists.set(name, {
      ms: Math.min(ms, before?.ms ?? ms),
      moves: Math.min(moves, before?.moves ?? moves),
    });
    this.#save(lists);
    const isFastest = before !== undefined && ms < before.ms;
    return { name, isFastest, isShortest: before !== undefined && moves < before.moves };
  }

  clear(): void {
    this.#save(new Map());
  }

  #save(lists: ReadonlyMap<string, Best>): void {
    this.lists = lists;
    save("records", Object.fromEntries(lists));
  }
}

export const records = new Records();

/** The result of the last solved game, while its board is shown. */
export const solved = $state<{ standing: Standing | null }>({ standing: null });

// Random boards that are not solved yet. Only games on these boards have results: with an entered
// board, or a board a few moves from its goal, any record would be possible.

/** The parts of a game that identify its board. */
type DealtGame = Pick<Game, "start" | "columns" | "goalText">;

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
