import type { Puzzle, Solvability } from "sliding-tile-pdb";
import { Clock } from "./clock.svelte.ts";
import * as rules from "./rules.ts";
import type { Past } from "./past.svelte.ts";
import type { Way } from "./rules.ts";

export type { Way } from "./rules.ts";

/** State of a game that is kept over reloads. */
export interface Kept {
  columns: number;
  rows: number;
  goal: number[];
  start: number[];
  history: string;
  position: number;
  elapsed: number;
  assisted: boolean;
  /** Lines of tiles that slid as one; absent in games that older versions saved. */
  lines?: readonly Line[];
}

/** Start and end of a line's moves in the history. */
type Line = readonly [begin: number, end: number];

/** The board on the page, where it came from and where it goes. Arrays are replaced, not changed. */
export class Game {
  columns = $state(4);
  rows = $state(4);
  /** The board now, in reading order, 0 for the blank. */
  tiles = $state.raw<number[]>(rules.ordered(16));
  goal = $state.raw<number[]>(rules.ordered(16));
  /** The board that this game began with. */
  start = $state.raw<number[]>(rules.ordered(16));
  /** Moves made, then those that were taken back. */
  history = $state.raw<Way[]>([]);
  /** Number of moves of `history` in force. */
  position = $state(0);
  /** Whether some moves were not the player's own. */
  assisted = $state(false);
  /** The rules, when they are loaded. */
  puzzle = $state.raw<Puzzle | null>(null);
  /** Games before and after this one: undo and redo lead on to them. */
  past = $state.raw<Past | null>(null);
  readonly clock = new Clock();

  readonly canUndo = $derived(this.position > 0 || (this.past?.canUndo ?? false));
  readonly canRedo = $derived(
    this.position < this.history.length || (this.past?.canRedo ?? false),
  );
  readonly size = $derived(`${this.columns}x${this.rows}`);
  readonly text = $derived(rules.boardText(this.tiles, this.columns));
  readonly goalText = $derived(rules.boardText(this.goal, this.columns));
  readonly isSolved = $derived(rules.isSame(this.tiles, this.goal));
  readonly moves = $derived(this.history.slice(0, this.position).join(""));
  /** Moves change nothing of it: it is found once for each start and goal. */
  readonly solvability: Solvability | null = $derived.by(() => {
    if (!this.puzzle) return null;
    try {
      return this.puzzle.solvability(
        rules.boardText(this.start, this.columns),
        rules.boardText(this.goal, this.columns),
      );
    } catch {
      return null;
    }
  });

  #listeners = new Set<(way: Way) => void>();
  /** Lines of tiles that slid as one. They do not overlap. */
  #lines: readonly Line[] = [];

  get elapsed(): number {
    return this.clock.elapsed;
  }

  /** A new game on this board, of the size that the game has. */
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

  /** Another size: goal and board in order, the blank last. */
  setSize(columns: number, rows: number): void {
    if (!rules.isSide(columns) || !rules.isSide(rows)) return;
    this.columns = columns;
    this.rows = rows;
    this.goal = rules.ordered(columns * rows);
    this.begin(this.goal);
  }

  /** A new game of another size, goal and all. */
  open(columns: number, rows: number, tiles: number[], goal: number[]): void {
    const cells = columns * rows;
    if (!rules.isBoard(tiles, cells) || !rules.isBoard(goal, cells)) return;
    this.setSize(columns, rows);
    this.setGoal(goal);
    this.begin(tiles);
  }

  /** Slides the tile on a cell, or the whole line up to the blank; whether anything moved. */
  slide(cell: number): boolean {
    const moves = rules.line(this.tiles, cell, this.columns);
    if (moves.length === 0) return false;
    const begin = this.position;
    this.#make(moves);
    if (moves.length > 1) this.#lines = [...this.#lines, [begin, this.position]];
    return true;
  }

  /** Makes one move or several; `false` if they are not possible. Programs leave out `by`. */
  play(ways: Way | readonly Way[], by: "player" | "program" = "program"): boolean {
    const moves = [ways].flat();
    const tiles = [...this.tiles];
    if (!moves.every((way) => rules.move(tiles, way, this.columns))) return false;
    if (by === "program") {
      this.assisted = true;
      // The time is the player's: it continues with the player's next move.
      this.clock.stop();
    }
    this.#make(moves, by === "player");
    return true;
  }

  /**
   * Takes back the last tile's move, or that of the line that slid as one. At the start of the game
   * it leads to the game before.
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

  /** Goes to the position with this number of moves of the history in force. */
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

  /** Swaps the two tiles whose swap makes the board solvable. The moves made stay. */
  swapForSolvable(): void {
    const [one, other] = this.solvability?.swap ?? [0, 0];
    if (one === other) return;
    this.start = rules.swapped(this.start, one, other);
    this.tiles = rules.swapped(this.tiles, one, other);
  }

  /** Hears each move of the board, also those that undo. Call what it returns to hear no more. */
  onMove(listener: (way: Way) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** What to keep. */
  keep(): Kept {
    const { columns, rows, goal, start, position, elapsed, assisted } = this;
    const history = this.history.join("");
    const lines = this.#lines;
    return { columns, rows, goal, start, history, position, elapsed, assisted, lines };
  }

  /** Takes up what was kept; whether it was in order. */
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

  /** Makes moves that are known to be possible. */
  #make(moves: Way[], isPlayers = true): void {
    this.#apply(moves);
    // To play what was just taken back is to redo it.
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

  /** After the board is there: listeners see the whole of it. */
  #tell(moves: Way[]): void {
    for (const way of moves) for (const listener of this.#listeners) listener(way);
  }
}

export const game = new Game();
