/**
 * Tables and mode for a size. Sizes are texts such as "4x4" everywhere, so that they can be keys
 * and package options.
 */
import type { Metric, Mode } from "sliding-tile-pdb";
import { text } from "../text/text.svelte.ts";

/** A partition that can be chosen. */
export interface Preset {
  partition: string;
  /** A few words that help to choose. */
  words: string;
}

/** The name for "no tables" in either metric. */
export const NO_TABLES = "none";

/** Maximum number of cells, by metric, for which shortest solutions are found quickly. */
const CELLS_OF_PROOFS = { single: 16, multi: 12 };
/** Maximum number of cells for which building the default tables takes less than a second. */
const CELLS_BUILT_AHEAD = 36;

export function cellsOf(size: string): number {
  const [columns = 0, rows = 0] = size.split("x").map(Number);
  return columns * rows;
}

export function isBuiltAhead(size: string): boolean {
  return cellsOf(size) <= CELLS_BUILT_AHEAD;
}

/** Whether shortest solutions are found quickly for every board. */
export function isProvable(size: string, metric: Metric): boolean {
  return cellsOf(size) <= CELLS_OF_PROOFS[metric];
}

/** Number of cells from which a solution at once is worth more than a short one. */
const CELLS_OF_STEPS = 100;

/** The optimal mode if it is quick; otherwise a good answer within a fixed time, or at once. */
export function defaultMode(size: string, metric: Metric): Mode {
  if (isProvable(size, metric)) return "optimal";
  return cellsOf(size) < CELLS_OF_STEPS ? "anytime" : "strategic";
}

/**
 * Maximum estimated build time of default tables, in milliseconds. It allows patterns of 5 tiles on
 * trays of up to 25 cells, and of 4 tiles on larger trays. For most sizes it is smaller than the
 * package's default, since a page has little memory, and the visitor waits.
 */
export const BUILD_TIME = 2300;

/** The default partition of a size; `undefined` leaves the choice to the package. */
export function defaultPartition(size: string, metric: Metric): string | undefined {
  const isLarge = metric === "multi" ? !isProvable(size, metric) : !isBuiltAhead(size);
  return isLarge ? NO_TABLES : undefined;
}

/**
 * The partitions offered for a size, the default first. `names` are the package's partitions, the
 * largest first; `usual` is the package's default, once it is known.
 */
export function presets(
  size: string,
  metric: Metric,
  names: readonly string[],
  usual: string | undefined,
): Preset[] {
  const words = text.errors.partitions;
  const none = { partition: NO_TABLES, words: words.none };
  if (metric === "multi") {
    return isProvable(size, metric) ? [{ partition: "runs", words: words.runs }, none] : [none];
  }
  if (size === "4x4") {
    const known = ["6-6-3", "small", "5-5-5", "7-8"] as const;
    return [...known.map((partition) => ({ partition, words: words[partition] })), none];
  }
  if (size === "3x3") {
    return [
      { partition: "8", words: words.one },
      { partition: "5-3", words: words.two },
      { partition: "fringe", words: words.fringe },
      none,
    ];
  }
  if (!isBuiltAhead(size)) return [none];
  const few = names.slice(Math.max(0, names.indexOf(usual ?? ""))).map((partition) => ({
    partition,
    words: partition === usual ? words.usual : "",
  }));
  return [...few, none];
}
