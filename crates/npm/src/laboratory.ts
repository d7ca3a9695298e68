/** Textbook heuristics and searches in a separate thread. */
import { Channel, unexpected } from "./channel.js";
import { noneOf, optionsOf, requestOf, tell } from "./request.js";
import { opener } from "./thread.js";
import type { BoardLike, ExplainOptions, Explanation, HeuristicName, Size } from "./types.js";
import type { CompareOptions, ComparisonRecord, Plot, PlotOptions } from "./types.js";
import type { LaboratoryOptions } from "./types.js";

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

/** Textbook heuristics and searches, in a separate worker. */
export interface Laboratory extends Readonly<Pick<ChannelLaboratory, keyof ChannelLaboratory>> {}

class ChannelLaboratory {
  readonly #channel: Channel;

  constructor(channel: Channel) {
    this.#channel = channel;
  }

  /** Explains the values of heuristics for a board. */
  async explain(board: BoardLike, options: ExplainOptions = {}): Promise<Explanation[]> {
    const { signal, ...rest } = optionsOf(options);
    return this.#channel.ask(requestOf({ ask: "explain", board }, rest), { signal });
  }

  /** Names of the heuristics that are quick to build for a size. */
  async heuristics(size: Size): Promise<HeuristicName[]> {
    return this.#channel.ask(requestOf({ ask: "heuristics", size }));
  }

  /** Runs searches with heuristics on boards. */
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

  /** Draws the plots of `solver compare` as SVG. Plots without data in the records are omitted. */
  async plots(records: readonly ComparisonRecord[], options: PlotOptions = {}): Promise<Plot[]> {
    return this.#channel.ask(requestOf({ ask: "plots", records }, optionsOf(options)));
  }

  /** Ends the worker; running and waiting calls are rejected. */
  close(): void {
    this.#channel.close();
  }
}
