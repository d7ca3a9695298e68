/**
 * Tables and mode for a size. Sizes are texts such as "4x4" everywhere, so that they
 * can be keys and go to the package as they are.
 */
import type { Metric, Mode } from "sliding-tile-pdb";
import { text } from "../text/text.svelte.ts";

/** A partition that can be chosen by its name. */
export interface Preset {
  partition: string;
  /** Facts that help a visitor to choose: a few words. */
  words: string;
}

/** The name for "no tables" in either metric. */
export const NO_TABLES = "none";

/** Up to this many cells shortest solutions are found within moments, by metric. */
const CELLS_OF_PROOFS = { single: 16, multi: 12 };
/** Trays of up to this many cells have default tables that take less than a second. */
const CELLS_BUILT_AHEAD = 36;

export function cellsOf(size: string): number {
  const [columns = 0, rows = 0] = size.split("x").map(Number);
  return columns * rows;
}

export function isBuiltAhead(size: string): boolean {
  return cellsOf(size) <= CELLS_BUILT_AHEAD;
}

/** Whether shortest solutions are found within moments, whatever the board. */
export function isProvable(size: string, metric: Metric): boolean {
  return cellsOf(size) <= CELLS_OF_PROOFS[metric];
}

/** A proved optimum where that is a matter of moments; elsewhere a good answer in a fixed time. */
export function defaultMode(size: string, metric: Metric): Mode {
  return isProvable(size, metric) ? "optimal" : "anytime";
}

/**
 * Milliseconds that tables may take to build where nothing was chosen, by the package's estimate:
 * parts of 5 on trays of up to 25 cells, and of 4 on larger ones. Less than the usual tables of
 * most sizes: memory of a page is dear, and a visitor waits.
 */
export const BUILD_TIME = 2300;

/** The partition of a size when nothing was chosen; `undefined` leaves it to the package. */
export function defaultPartition(size: string, metric: Metric): string | undefined {
  const isLarge = metric === "multi" ? !isProvable(size, metric) : !isBuiltAhead(size);
  return isLarge ? NO_TABLES : undefined;
}

/**
 * The partitions worth offering for a size, the default first. `names` are those that the package
 * knows, the largest first, and `usual` is the one that it takes, once that is known.
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
