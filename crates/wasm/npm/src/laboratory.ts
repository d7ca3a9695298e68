/** Textbook heuristics and searches in a separate thread. */
import { Channel, unexpected } from "./channel.js";
import { noneOf, optionsOf, requestOf, tell } from "./request.js";
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
  const { wasm, worker, urls, ...rest } = optionsOf(options);
  noneOf(Object.keys(rest));
  const open = opener("laboratory", options);
  try {
    const channel = new Channel({ open, prepare: async () => {} }, await open());
    return new ChannelLaboratory(channel);
  } catch (error) {
    throw unexpected(error);
  }
}

class ChannelLaboratory implements Laboratory {
  readonly #channel: Channel;

  constructor(channel: Channel) {
    this.#channel = channel;
  }

  async explain(board: BoardLike, options: ExplainOptions = {}): Promise<Explanation[]> {
    const { signal, ...rest } = optionsOf(options);
    return this.#channel.ask(requestOf({ ask: "explain", board }, rest), { signal });
  }

  async heuristics(size: Size): Promise<HeuristicName[]> {
    return this.#channel.ask(requestOf({ ask: "heuristics", size }));
  }

  async compare(options: CompareOptions): Promise<ComparisonRecord[]> {
    const { signal, onRecord, onProgress, ...rest } = optionsOf(options);
    const progress = onProgress !== undefined;
    return this.#channel.ask(requestOf({ ask: "compare", progress }, rest), {
      signal,
      onEvent: (event) => {
        if (event.type === "run") {
          const { type, ...progress } = event;
          tell(onProgress, progress);
        }
        if (event.type !== "record") return;
        tell(onRecord, event.record, { finished: event.finished, runs: event.runs });
      },
    });
  }

  async plots(records: readonly ComparisonRecord[], options: PlotOptions = {}): Promise<Plot[]> {
    return this.#channel.ask(requestOf({ ask: "plots", records }, optionsOf(options)));
  }

  close(): void {
    this.#channel.close();
  }
}
