/** The heuristics that are offered for a size. */
import type { Laboratory } from "sliding-tile-pdb";
import { heuristicNames } from "../laboratory/names.ts";
import { solvers } from "../solver/cache.svelte.ts";
import { bench } from "./bench.ts";

/** Names of solvers that are no names of heuristics. */
const NO_HEURISTICS = ["none", "runs", "default"];

export class Heuristics {
  #known = $state.raw<ReadonlyMap<string, readonly string[]>>(new Map());
  #laboratory: () => Promise<Laboratory>;
  #inUse: () => string | undefined;

  constructor(
    laboratory: () => Promise<Laboratory> = () => bench.get(),
    inUse: () => string | undefined = () =>
      solvers.metric === "single" ? solvers.current?.solver?.partition : undefined,
  ) {
    this.#laboratory = laboratory;
    this.#inUse = inUse;
  }

  /** Those at hand, and the solver's tables; until they are known those of every size. */
  of(size: string): readonly string[] {
    const known = this.#known.get(size) ?? heuristicNames();
    const inUse = this.#inUse();
    if (!inUse || NO_HEURISTICS.includes(inUse) || known.includes(inUse)) return known;
    return [...known, inUse];
  }

  /** Asks which ones are at hand. Where that fails, the search says why. */
  async learn(size: string): Promise<void> {
    if (this.#known.has(size)) return;
    try {
      const names = await (await this.#laboratory()).heuristics(size);
      this.#known = new Map(this.#known).set(size, names);
    } catch {
      // Those of every size are offered.
    }
  }
}

export const heuristics = new Heuristics();
