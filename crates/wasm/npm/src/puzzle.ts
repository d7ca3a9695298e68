/** The rules of the puzzle: synchronous functions on the caller's thread. */
import { boardText as rowsOf, move, type Way } from "./board/rules.js";
import { InputError, fromWire, toWire } from "./error.js";
import { compile, compileOwn } from "./module.js";
import type { Request } from "./protocol.js";
import {
  boardText,
  goalText,
  limitOf,
  movesText,
  optionsOf,
  requestOf,
  textOf,
} from "./request.js";
import { beginRules, type Rules } from "./rules.js";
import type {
  Applied,
  ApplyOptions,
  Board,
  BoardLike,
  DrawOptions,
  GoalLike,
  Metric,
  MovesLike,
  Notation,
  ParsedLine,
  Puzzle,
  ScrambleOptions,
  Scrambled,
  Size,
  Solvability,
  WasmSource,
} from "./types.js";

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
  const { wasm } = optionsOf(options, { wasm: true });
  const module = wasm === undefined ? compileOwn("wasm-rules") : compile(wasm);
  return new ModulePuzzle(beginRules(await module));
}

/** Maximum number of boards that a call returns, enough for the longest solutions of 20x20. */
const MAX_BOARDS = 100_001;

class ModulePuzzle implements Puzzle {
  readonly #bindings: Rules;
  readonly version: string;

  constructor(bindings: Rules) {
    this.#bindings = bindings;
    this.version = bindings.version();
  }

  parse(board: BoardLike, size?: Size): Board {
    return json(() => this.#bindings.parse(boardText(board), size));
  }

  parseList(text: string, size?: Size): ParsedLine[] {
    return json(() => this.#bindings.parse_list(textOf(text, "the list"), size));
  }

  goal(goal: GoalLike, size?: Size): Board {
    return json(() => this.#bindings.goal(boardText(goal, "the goal"), size));
  }

  solvability(board: BoardLike, goal?: GoalLike): Solvability {
    return json(() => this.#bindings.solvability(boardText(board), goalText(goal)));
  }

  scramble(options: ScrambleOptions = {}): Scrambled[] {
    const names = { size: true, goal: true, number: true, moves: true, seed: true } as const;
    const { size, goal } = optionsOf(options, names);
    const request = requestOf({
      size,
      goal: goalText(goal),
      number: limitOf(options.number, "number"),
      moves: limitOf(options.moves, "moves"),
      // The answer contains the seed, so that the same boards can be created again.
      seed: limitOf(options.seed ?? Math.floor(Math.random() * 2 ** 32), "seed"),
    });
    return json(() => this.#bindings.scramble(JSON.stringify(request)));
  }

  apply(board: BoardLike, moves: MovesLike, options: ApplyOptions = {}): Applied {
    const { goal, notation } = optionsOf(options, { goal: true, notation: true });
    const request = requestOf({ ...texts(board, moves, goal), notation });
    return json(() => this.#bindings.apply(JSON.stringify(request)));
  }

  boardsAlong(board: BoardLike, moves: MovesLike, options: { notation?: Notation } = {}): string[] {
    const { notation } = optionsOf(options, { notation: true });
    // The module parses and checks the moves; the boards are then computed here.
    this.apply(board, moves, options);
    const { tiles, columns } = this.parse(board);
    const letters = this.convert(board, moves, "tile", notation);
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

  convert(board: BoardLike, moves: MovesLike, to: Notation, from?: Notation): string {
    const request = requestOf({ ...texts(board, moves), to, from });
    return plain(() => this.#bindings.convert(JSON.stringify(request)));
  }

  invert(moves: MovesLike, notation?: Notation): string {
    const text = movesText(moves);
    return plain(() => this.#bindings.invert(text, notation));
  }

  draw(board: BoardLike, options: DrawOptions = {}): string {
    const { goal, style, moves } = optionsOf(options, { goal: true, style: true, moves: true });
    const request = requestOf({ ...texts(board, moves, goal), style });
    return plain(() => this.#bindings.draw(JSON.stringify(request)));
  }

  partitions(size: Size, metric?: Metric): string[] {
    const names = json<string[]>(() => this.#bindings.partitions(textOf(size, "the size"), metric));
    // On small trays several names are equal, because all tiles fit in one part.
    return [...new Set(names)];
  }
}

function texts(board: BoardLike, moves?: MovesLike, goal?: GoalLike): Request {
  const text = moves === undefined ? undefined : movesText(moves);
  return { board: boardText(board), moves: text, goal: goalText(goal) };
}

/** The module's answer; exceptions become errors of this package. */
function plain(work: () => string): string {
  try {
    return work();
  } catch (thrown) {
    throw fromWire(toWire(thrown));
  }
}

const json = <T>(work: () => string): T => JSON.parse(plain(work)) as T;
