import type { Puzzle, Solvability } from "sliding-tile-pdb";
import { Clock } from "./clock.svelte.ts";
import * as rules from "sliding-tile-pdb/board-rules";
import { isSame, ordered, type Way } from "sliding-tile-pdb/board-rules";
import type { Past } from "./past.svelte.ts";
import { type Address, write } from "./address.ts";

export type { Way } from "sliding-tile-pdb/board-rules";

/** The state of a game that survives reloads. */
export interface Kept {
  columns: number;
  rows: number;
  goal: number[];
  start: number[];
  history: string;
  position: number;
  elapsed: number;
  assisted: boolean;
  /** Slides of more than one tile; absent in games of older versions. */
  lines?: readonly Line[];
}

/** The moves of one slide of several tiles, as a range of the history; `end` is exclusive. */
type Line = readonly [begin: number, end: number];

/**
 * The board on the page, with its start, goal and history. No array is changed in place: each
 * change stores a new array.
 */
export class Game {
  columns = $state(4);
  rows = $state(4);
  /** The current board, in reading order, 0 for the blank. */
  tiles = $state.raw<number[]>(rules.ordered(16));
  goal = $state.raw<number[]>(rules.ordered(16));
  /** The board at the start of the game. */
  start = $state.raw<number[]>(rules.ordered(16));
  /** Moves made, followed by undone moves. */
  history = $state.raw<Way[]>([]);
  /** Number of moves of `history` that are made. */
  position = $state(0);
  /** Whether a program made some of the moves. */
  assisted = $state(false);
  /** The rules, once they are loaded. */
  puzzle = $state.raw<Puzzle | null>(null);
  /** Earlier and later games of this tab, which Undo and Redo reach. */
  past = $state.raw<Past | null>(null);
  readonly clock = new Clock();

  readonly canUndo = $derived(this.position > 0 || (this.past?.canUndo ?? false));
  readonly canRedo = $derived(this.position < this.history.length || (this.past?.canRedo ?? false));
  readonly size = $derived(`${this.columns}x${this.rows}`);
  readonly text = $derived(rules.boardText(this.tiles, this.columns));
  readonly goalText = $derived(rules.boardText(this.goal, this.columns));
  readonly isSolved = $derived(rules.isSame(this.tiles, this.goal));
  readonly moves = $derived(this.history.slice(0, this.position).join(""));
  /** Computed once per start and goal, since moves do not change it. */
  readonly isSolvable = $derived(rules.isReachable(this.start, this.goal, this.columns));
  /**
   * For an unsolvable board: the reason, and two tiles whose swap makes the board solvable. `null`
   * until the rules are loaded.
   */
  readonly obstacle: Solvability | null = $derived.by(() => {
    if (this.isSolvable || !this.puzzle) return null;
    return this.puzzle.solvability(rules.boardText(this.start, this.columns), this.goalText);
  });

  #listeners = new Set<(way: Way) => void>();
  /** Slides of more than one tile, in order, without overlap. */
  #lines: readonly Line[] = [];

  get elapsed(): number {
    return this.clock.elapsed;
  }

  /** Starts a new game on a board of the same size. */
  begin(tiles: number[]): void {
    if (!rules.isBoard(tiles, this.columns * this.rows)) return;
    this.start = this.tiles = [...tiles];
    this.history = [];
    this.position = 0;
    this.#lines = [];
    this.assisted = false;
    this.clock.reset();
  }

  setGoal(goal: number[]): void {
    if (rules.isBoard(goal, this.columns * this.rows)) this.goal = [...goal];
  }

  /** Changes the size. The numbers of the new goal and board are in order, with the blank last. */
  setSize(columns: number, rows: number): void {
    if (!rules.isSide(columns) || !rules.isSide(rows)) return;
    this.columns = columns;
    this.rows = rows;
    this.goal = rules.ordered(columns * rows);
    this.begin(this.goal);
  }

  /** Starts a new game with another size and goal. */
  open(columns: number, rows: number, tiles: number[], goal: number[]): void {
    const cells = columns * rows;
    if (!rules.isBoard(tiles, cells) || !rules.isBoard(goal, cells)) return;
    this.setSize(columns, rows);
    this.setGoal(goal);
    this.begin(tiles);
  }

  /**
   * Slides the tile on `cell` towards the blank, together with all tiles between them. Returns
   * whether anything moved.
   */
  slide(cell: number): boolean {
    const moves = rules.line(this.tiles, cell, this.columns);
    if (moves.length === 0) return false;
    const begin = this.position;
    this.#make(moves);
    if (moves.length > 1) this.#lines = [...this.#lines, [begin, this.position]];
    return true;
  }

  /**
   * Makes one or several moves. If one of them is impossible, makes none and returns `false`. `by`
   * states whether the player or a program makes them.
   */
  play(ways: Way | readonly Way[], by: "player" | "program" = "program"): boolean {
    const moves = [ways].flat();
    const tiles = [...this.tiles];
    if (!moves.every((way) => rules.move(tiles, way, this.columns))) return false;
    if (by === "program") {
      this.assisted = true;
      // The clock measures only the player's time. It starts again at the player's next move.
      this.clock.stop();
    }
    this.#make(moves, by === "player");
    return true;
  }

  /**
   * Undoes the last move. Tiles that slid together move back together. At the start of the game,
   * returns to the previous game.
   */
  undo(): void {
    if (this.position === 0) return this.past?.undo();
    const line = this.#lines.find(([, end]) => end === this.position);
    this.seek(line ? line[0] : this.position - 1);
  }

  redo(): void {
    if (this.position === this.history.length) return this.past?.redo();
    const line = this.#lines.find(([begin]) => begin === this.position);
    this.seek(line ? line[1] : this.position + 1);
  }

  /** Shows the position after a number of moves of the history. */
  seek(position: number): void {
    const to = Math.max(0, Math.min(this.history.length, Math.floor(position)));
    const made: Way[] =
      to >= this.position
        ? this.history.slice(this.position, to)
        : this.history
            .slice(to, this.position)
            .reverse()
            .map((way) => rules.back[way]);
    if (made.length === 0) return;
    this.#apply(made);
    this.position = to;
    this.#tell(made);
  }

  /** Swaps the two tiles whose swap makes the board solvable. The history stays. */
  swapForSolvable(): void {
    const [one, other] = this.obstacle?.swap ?? [0, 0];
    if (one === other) return;
    this.start = rules.swapped(this.start, one, other);
    this.tiles = rules.swapped(this.tiles, one, other);
  }

  /**
   * Calls the listener for each move, including the moves of Undo. The returned function removes
   * the listener.
   */
  onMove(listener: (way: Way) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The state to store. */
  keep(): Kept {
    const { columns, rows, goal, start, position, elapsed, assisted } = this;
    const history = this.history.join("");
    const lines = this.#lines;
    return { columns, rows, goal, start, history, position, elapsed, assisted, lines };
  }

  /** Restores a stored state; returns whether it was valid. */
  restore(kept: unknown): boolean {
    const game = kept as Kept;
    try {
      const cells = game.columns * game.rows;
      if (!rules.isSide(game.columns) || !rules.isSide(game.rows)) return false;
      if (!rules.isBoard(game.goal, cells) || !rules.isBoard(game.start, cells)) return false;
      if (!/^[UDLR]*$/.test(game.history)) return false;
      const history = [...game.history] as Way[];
      const tiles = [...game.start];
      const position = Math.min(history.length, Math.max(0, Math.floor(game.position) || 0));
      let last = 0;
      const lines = (Array.isArray(game.lines) ? game.lines : []).filter((line) => {
        const [begin, end] = Array.isArray(line) ? line : [];
        const isLine = [begin, end].every(Number.isInteger) && begin >= last && begin < end;
        if (isLine) last = end;
        return isLine && end <= history.length;
      });
      const checked = [...game.start];
      if (!history.every((way) => rules.move(checked, way, game.columns))) return false;
      history.slice(0, position).forEach((way) => rules.move(tiles, way, game.columns));
      this.open(game.columns, game.rows, game.start, game.goal);
      this.tiles = tiles;
      this.history = history;
      this.position = position;
      this.#lines = lines;
      this.assisted = game.assisted === true;
      this.clock.reset(Number.isFinite(game.elapsed) ? Math.max(0, game.elapsed) : 0);
      return true;
    } catch {
      return false;
    }
  }

  /** Makes moves that have been checked. */
  #make(moves: Way[], isPlayers = true): void {
    this.#apply(moves);
    // Repeating the undone move is a redo.
    const again = moves.every((way, index) => this.history[this.position + index] === way);
    const end = this.position + moves.length;
    this.#lines = this.#lines.filter(
      (line) => line[1] <= this.position || (again && line[0] >= end),
    );
    if (!again) this.history = [...this.history.slice(0, this.position), ...moves];
    this.position = end;
    if (isPlayers && !this.isSolved) this.clock.run();
    this.#tell(moves);
  }

  #apply(moves: Way[]): void {
    const tiles = [...this.tiles];
    for (const way of moves) rules.move(tiles, way, this.columns);
    this.tiles = tiles;
    if (this.isSolved) this.clock.stop();
  }

  /** Called after the board has changed, so that listeners see the new board. */
  #tell(moves: Way[]): void {
    for (const way of moves) for (const listener of this.#listeners) listener(way);
  }
}

export const game = new Game();

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
