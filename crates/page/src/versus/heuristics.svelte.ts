/** The heuristics offered for a size. */
import type { Laboratory } from "sliding-tile-pdb";
import { heuristicNames } from "../laboratory/names.ts";
import { solvers } from "../solver/cache.svelte.ts";
import { bench } from "./bench.ts";

/** Names of solvers that are not names of heuristics. */
const NO_HEURISTICS = ["none", "runs", "default"];

/** The partitions of the cached solvers for a size, in the single-tile metric. */
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

  /**
   * The heuristics and built partitions of a size. Until `learn` succeeds, the heuristics are those
   * that every size has.
   */
  of(size: string): readonly string[] {
    const known = this.#known.get(size) ?? heuristicNames();
    const built = this.#built(size).filter((name) => !NO_HEURISTICS.includes(name));
    return [...new Set([...known, ...built])];
  }

  /** Requests the heuristics of a size. Errors are ignored here: the next search reports them. */
  async learn(size: string): Promise<void> {
    if (this.#known.has(size)) return;
    try {
      const names = await (await this.#laboratory()).heuristics(size);
      this.#known = new Map(this.#known).set(size, names);
    } catch {
      // Without the names for this size, the heuristics that exist for every size are offered.
    }
  }
}

export const heuristics = new Heuristics();
