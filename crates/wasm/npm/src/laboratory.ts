/** Textbook heuristics and searches in a separate thread. */
import { Channel, unexpected } from "./channel.js";
import { InputError } from "./error.js";
import {
  boardText,
  describe,
  goalText,
  limitOf,
  limitsOf,
  optionsOf,
  requestOf,
  tell,
  textOf,
  type Names,
} from "./request.js";
import { opener } from "./thread.js";
import type {
  BoardLike,
  CompareOptions,
  ComparisonRecord,
  ExplainOptions,
  Explanation,
  HeuristicName,
  Laboratory,
  LaboratoryOptions,
  Plot,
  PlotOptions,
  Size,
} from "./types.js";

/**
 * Creates a laboratory, which explains heuristics and compares searches.
 *
 * @example
 * ```ts
 * const laboratory = await createLaboratory();
 * const records = await laboratory.compare({
 *   sizes: ["3x3"],
 *   number: 20,
 *   heuristics: ["manhattan", "linear-conflict"],
 *   searches: ["astar", "ida-star"],
 *   onRecord: (record, { finished, runs }) => console.log(`${finished} of ${runs}`),
 * });
 * ```
 *
 * The option `wasm` is the WebAssembly file, by default this package's own `wasm-laboratory`.
 *
 * @throws DownloadError, UnsupportedError, MemoryError
 */
export async function createLaboratory(options: LaboratoryOptions = {}): Promise<Laboratory> {
  const names = { wasm: true, worker: true, urls: true } as const;
  const open = opener("laboratory", optionsOf(options, names));
  try {
    const channel = new Channel({ open, prepare: async () => {} }, await open());
    return new ChannelLaboratory(channel);
  } catch (error) {
    throw unexpected(error);
  }
}

const COMPARE_NAMES: Names<CompareOptions> = {
  signal: true,
  maxTime: true,
  maxNodes: true,
  sizes: true,
  goal: true,
  boards: true,
  number: true,
  moves: true,
  seed: true,
  heuristics: true,
  searches: true,
  maxMemory: true,
  onRecord: true,
  onProgress: true,
};

class ChannelLaboratory implements Laboratory {
  readonly #channel: Channel;

  constructor(channel: Channel) {
    this.#channel = channel;
  }

  async explain(board: BoardLike, options: ExplainOptions = {}): Promise<Explanation[]> {
    const names = { goal: true, heuristics: true, signal: true } as const;
    const { goal, heuristics, signal } = optionsOf(options, names);
    const request = requestOf({
      board: boardText(board),
      goal: goalText(goal),
      heuristics: listOf(heuristics, "heuristics"),
    });
    return this.#channel.call("explain", [request], { signal });
  }

  async heuristics(size: Size): Promise<HeuristicName[]> {
    return this.#channel.call("heuristics", [textOf(size, "the size")]);
  }

  async compare(options: CompareOptions): Promise<ComparisonRecord[]> {
    const { sizes, goal, boards, moves, signal, onRecord, onProgress } = optionsOf(
      options,
      COMPARE_NAMES,
    );
    const request = requestOf({
      sizes: listOf(sizes, "sizes"),
      goal: goalText(goal),
      boards: listOf(boards, "boards")?.map((board) => boardText(board)),
      number: limitOf(options.number, "number"),
      moves: listOf(moves, "moves"),
      seed: limitOf(options.seed, "seed"),
      heuristics: listOf(options.heuristics, "heuristics"),
      searches: listOf(options.searches, "searches"),
      max_memory: limitOf(options.maxMemory, "maxMemory"),
      ...limitsOf({ maxTime: options.maxTime, maxNodes: options.maxNodes }),
      progress: onProgress ? true : undefined,
    });
    return this.#channel.call("compare", [request], {
      signal,
      onEvent: (event) => {
        if (event.type === "laboratory") tell(onProgress, event.progress);
        if (event.type !== "record") return;
        tell(onRecord, event.record, { finished: event.finished, runs: event.runs });
      },
    });
  }

  async plots(records: readonly ComparisonRecord[], options: PlotOptions = {}): Promise<Plot[]> {
    const known = { set: true, size: true, width: true, bare: true, names: true } as const;
    const { set, size, width, bare, names } = optionsOf(options, known);
    const request = requestOf({
      records: listOf(records, "records"),
      set: set === undefined ? undefined : textOf(set, "the set"),
      size: size === undefined ? undefined : textOf(size, "the size"),
      width,
      bare,
      names,
    });
    return this.#channel.call("plots", [request]);
  }

  close(): void {
    this.#channel.close();
  }
}

function listOf<T>(list: readonly T[] | undefined, what: string): readonly T[] | undefined {
  if (list === undefined || Array.isArray(list)) return list;
  throw new InputError(`${what} must be an array, not ${describe(list)}`);
}
