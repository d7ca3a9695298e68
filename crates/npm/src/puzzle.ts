/** The rules of the puzzle: synchronous functions on the caller's thread. */
import * as bindings from "../wasm-rules/sliding_tile_pdb.js";
import { boardText as rowsOf, move, type Way } from "./board/rules.js";
import { InputError, fromWire, toWire } from "./error.js";
import { ModuleCalls, starter, type Bindings } from "./glue.js";
import { compile, compileOwn } from "./module.js";
import { movesText, noneOf, optionsOf, requestOf, type Request } from "./request.js";
import type { Applied, ApplyOptions, DrawOptions, MovesLike, Notation } from "./types.js";
import type { Board, BoardLike, GoalLike, Metric, ParsedLine, Size } from "./types.js";
import type { ScrambleOptions, Scrambled, Solvability, WasmSource } from "./types.js";

/** The functions of the module. Its generated types would need the library `ESNext.Disposable`. */
type Rules = Bindings & { version(): string };

/** Returns the functions of this thread's instance. The first call creates the instance. */
const beginRules: (module: WebAssembly.Module) => Rules = starter(
  "wasm-rules",
  bindings,
  "session_call",
);

/**
 * Loads the rules of the puzzle: parsing and drawing boards, solvability, scrambles, moves. They
 * need no worker and no tables; all functions are synchronous.
 *
 * @example
 * ```ts
 * const puzzle = await loadPuzzle();
 * puzzle.parse("1 2 3 4 0 6 7 5 8").board; // "1 2 3/4 0 6/7 5 8"
 * puzzle.solvability("2 1 3/4 5 6/7 8 0"); // { solvable: false, swap: [1, 2], ... }
 * ```
 *
 * The option `wasm` is the WebAssembly file, by default this package's own `wasm-rules`. That file
 * has about a third of the size of the solver's file.
 *
 * The functions throw InputError for invalid boards, sizes and moves.
 *
 * @throws DownloadError if the WebAssembly file cannot be loaded, UnsupportedError if the host has
 * no WebAssembly.
 */
export async function loadPuzzle(options: { wasm?: WasmSource } = {}): Promise<Puzzle> {
  const { wasm, ...rest } = optionsOf(options);
  noneOf(Object.keys(rest));
  const module = wasm === undefined ? compileOwn("wasm-rules") : compile(wasm);
  return new ModulePuzzle(beginRules(await module));
}

/** Maximum number of boards that a call returns, enough for the longest solutions of 20x20. */
const MAX_BOARDS = 100_001;

/** The rules of the puzzle: synchronous functions on the calling thread. */
export interface Puzzle extends Readonly<Pick<ModulePuzzle, keyof ModulePuzzle>> {}

class ModulePuzzle {
  readonly #calls: ModuleCalls;
  /** The version of this package. */
  readonly version: string;

  constructor(bindings: Rules) {
    this.#calls = new ModuleCalls(bindings, 1);
    this.version = bindings.version();
  }

  /**
   * Parses a board in any notation. Without `size`, the rows of the board determine its size. A
   * board without rows must then be square.
   */
  parse(board: BoardLike, size?: Size): Board {
    return this.#ask({ ask: "parse", board, size });
  }

  /**
   * Parses a list: boards on one line each, with an identifier before and the length after the
   * board if there are any, or on several lines. Entries of another size than `size` are errors.
   */
  parseList(text: string, size?: Size): ParsedLine[] {
    return this.#ask({ ask: "list", text, size });
  }

  /** Parses a goal, given by name or as a board. */
  goal(goal: GoalLike, size?: Size): Board {
    return this.#ask({ ask: "goal", goal, size });
  }

  /** Whether the goal can be reached; if not, the reason. */
  solvability(board: BoardLike, goal?: GoalLike): Solvability {
    return this.#ask({ ask: "solvability", board, goal });
  }

  /**
   * Uniformly random boards, or boards made by `moves` random moves from the goal. By default one
   * board, with a random `seed`.
   */
  scramble(options: ScrambleOptions = {}): Scrambled[] {
    // The answer contains the seed, so that the same boards can be created again.
    const { seed = Math.floor(Math.random() * 2 ** 32), ...rest } = optionsOf(options);
    return this.#ask({ ask: "scramble", seed }, rest);
  }

  /** Applies moves in any notation. */
  apply(board: BoardLike, moves: MovesLike, options: ApplyOptions = {}): Applied {
    return this.#ask({ ask: "apply", board, moves: movesText(moves) }, optionsOf(options));
  }

  /** The boards before and after each move, starting with `board`. */
  boardsAlong(board: BoardLike, moves: MovesLike, options: { notation?: Notation } = {}): string[] {
    // The module parses and checks the moves; the boards are then computed here.
    this.apply(board, moves, options);
    const { tiles, columns } = this.parse(board);
    const letters = this.convert(board, moves, "tile", options.notation);
    const boards = [rowsOf(tiles, columns)];
    for (const [, way, count] of letters.matchAll(/([UDLR])(\d*)/g)) {
      if (boards.length + Number(count || 1) > MAX_BOARDS) {
        throw new InputError(`more than ${MAX_BOARDS - 1} moves are too many for one call`);
      }
      for (let made = Number(count || 1); made > 0; made--) {
        move(tiles, way as Way, columns);
        boards.push(rowsOf(tiles, columns));
      }
    }
    return boards;
  }

  /** Translates moves of a board to the notation `to`. Detects the notation `from` by default. */
  convert(board: BoardLike, moves: MovesLike, to: Notation, from?: Notation): string {
    return this.#ask({ ask: "convert", board, moves: movesText(moves), to, from });
  }

  /** The moves that undo the given moves. */
  invert(moves: MovesLike, notation?: Notation): string {
    return this.#ask({ ask: "invert", moves: movesText(moves), notation });
  }

  /** Draws a board: as text, as an SVG picture, or as an SVG animation of moves. */
  draw(board: BoardLike, options: DrawOptions = {}): string {
    const { moves, ...rest } = optionsOf(options);
    return this.#ask({ ask: "draw", board, moves: moves && movesText(moves) }, rest);
  }

  /**
   * Names of the partitions among which a solver chooses by default, the largest first. The solver
   * uses the first partition that can be built within `maxBuildTime`. Empty if no tables are
   * possible.
   */
  partitions(size: Size, metric?: Metric): string[] {
    // On small trays several names are equal, because all tiles fit in one part.
    return [...new Set(this.#ask<string[]>({ ask: "partitions", size, metric }))];
  }

  /** The module's answer; exceptions become errors of this package. */
  #ask<T>(own: Request, options?: object): T {
    const request = requestOf(own, options);
    try {
      return this.#calls.ask(request) as T;
    } catch (thrown) {
      throw fromWire(toWire(thrown));
    }
  }
}
