/**
 * What suits a size: its tables, its mode. Sizes are texts such as "4x4" everywhere, so that they
 * can be keys and go to the package as they are.
 */
import type { Metric, Mode } from "sliding-tile-pdb";

/** A partition that can be chosen by its name. */
export interface Preset {
  partition: string;
  /** What a visitor has to know to choose: a few words. */
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
 * The partition of a size when nothing was chosen; `undefined` leaves it to the package. Larger
 * trays get smaller parts than on the command line: memory of a page is dear, and a visitor waits.
 */
export function defaultPartition(size: string, metric: Metric): string | undefined {
  const cells = cellsOf(size);
  if (metric === "multi") return isProvable(size, metric) ? undefined : NO_TABLES;
  if (size === "4x4") return "6-6-3";
  if (isProvable(size, metric)) return undefined;
  if (cells > CELLS_BUILT_AHEAD) return NO_TABLES;
  return partsOf(cells - 1, cells <= 25 ? 5 : 4);
}

/** The name of equal parts: 24 tiles in parts of 5 are "5-5-5-5-4". */
export function partsOf(tiles: number, part: number): string {
  const parts = Array<number>(Math.floor(tiles / part)).fill(part);
  if (tiles % part > 0) parts.push(tiles % part);
  return parts.join("-");
}

/** The partitions worth offering for a size, the default first. */
export function presets(size: string, metric: Metric): Preset[] {
  const tiles = cellsOf(size) - 1;
  const none = { partition: NO_TABLES, words: "no tables, no memory" };
  if (metric === "multi") {
    const runs = { partition: "runs", words: "tables for runs of tiles" };
    return tiles < 12 ? [runs, none] : [none];
  }
  if (size === "4x4") {
    return [
      { partition: "6-6-3", words: "at once, 3 MB" },
      { partition: "small", words: "a moment, 7 MB, fewer nodes" },
      { partition: "5-5-5", words: "at once, 0.3 MB, more nodes" },
      { partition: "7-8", words: "ten seconds, 600 MB, fewest nodes" },
      none,
    ];
  }
  if (size === "3x3") {
    return [
      { partition: "8", words: "one table: exact distances" },
      { partition: "5-3", words: "two tables" },
      { partition: "fringe", words: "one table, known from textbooks" },
      none,
    ];
  }
  if (tiles >= CELLS_BUILT_AHEAD) return [none];
  const parts = tiles < 9 ? [8, 5, 4] : tiles < 16 ? [6, 5, 4] : tiles < 25 ? [5, 4, 3] : [4, 3];
  const names = new Set(parts.map((part) => partsOf(tiles, Math.min(part, tiles))));
  const usual = defaultPartition(size, metric);
  const few = [...names].map((partition) => ({
    partition,
    words: partition === usual ? "usual for this size" : "",
  }));
  return [...few, none];
}
