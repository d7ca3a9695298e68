/** The heuristics that are offered for a size. */
import type { Laboratory } from "sliding-tile-pdb";
import { heuristicNames } from "../laboratory/names.ts";
import { solvers } from "../solver/cache.svelte.ts";
import { bench } from "./bench.ts";

/** Names of solvers that are no names of heuristics. */
const NO_HEURISTICS = ["none", "runs", "default"];

/** The partitions of the solvers that are kept, for a size and single tiles. */
function builtFor(size: string): string[] {
  return solvers.entries.flatMap(({ request, solver }) =>
    solver && request.size === size && request.metric === "single" ? [solver.partition] : [],
  );
}

export class Heuristics {
  #known = $state.raw<ReadonlyMap<string, readonly string[]>>(new Map());
  #laboratory: () => Promise<Laboratory>;
  #built: (size: string) => readonly string[];

  constructor(
    laboratory: () => Promise<Laboratory> = () => bench.get(),
    built: (size: string) => readonly string[] = builtFor,
  ) {
    this.#laboratory = laboratory;
    this.#built = built;
  }

  /** Those at hand, and built partitions; until they are known those of every size. */
  of(size: string): readonly string[] {
    const known = this.#known.get(size) ?? heuristicNames();
    const built = this.#built(size).filter((name) => !NO_HEURISTICS.includes(name));
    return [...new Set([...known, ...built])];
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
