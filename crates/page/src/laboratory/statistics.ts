// Statistics of many searches, and their tables as text for other programs.

import type { ComparisonRecord } from "sliding-tile-pdb";

export function mean(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The median; for an even number of values, the mean of the two middle values. */
export function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle];
  return sorted.length % 2 === 1 ? upper : (sorted[middle - 1] + upper) / 2;
}

/** The runs of one search algorithm with one heuristic on one set of boards. */
export interface Group extends Pick<ComparisonRecord, "set" | "size" | "search" | "heuristic"> {
  records: readonly ComparisonRecord[];
  /** The runs that a limit stopped. */
  cut: readonly ComparisonRecord[];
}

/**
 * Figures of a group. Nodes and times include the runs that a limit stopped; lengths and branching
 * factors are of solved boards.
 */
export const figures = {
  meanLength: [mean, "length"],
  meanH0: [mean, "h0"],
  meanGenerated: [mean, "generated"],
  medianGenerated: [median, "generated"],
  meanExpanded: [mean, "expanded"],
  medianExpanded: [median, "expanded"],
  meanMs: [mean, "ms"],
  medianMs: [median, "ms"],
  branchingFactor: [mean, "branching_factor"],
} as const;

export function figure({ records }: Group, name: keyof typeof figures): number | null {
  const [summary, field] = figures[name];
  return summary(records.flatMap((record) => record[field] ?? []));
}

/** Groups items by their keys, in order of first occurrence. */
export function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const name = key(item);
    const group = groups.get(name);
    if (group) group.push(item);
    else groups.set(name, [item]);
  }
  return groups;
}

/** One group per set, search and heuristic, in order of first occurrence. */
export function summarize(records: readonly ComparisonRecord[]): Group[] {
  const groups = groupBy(records, ({ size, set, search, heuristic }) =>
    [size, set, search, heuristic].join("\n"),
  );
  return [...groups.values()].map((records) => {
    const cut = records.filter(({ status }) => status !== "solved");
    return { ...records[0], records, cut };
  });
}

export type Cell = string | number | null | undefined;

/** A CSV field (RFC 4180), quoted if necessary. */
export function csvField(cell: Cell): string {
  const text = cell === null || cell === undefined ? "" : String(cell);
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}

export function csv(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => row.map(csvField).join(",") + "\r\n").join("");
}

/**
 * The fields of a record in the order of the command's CSV; solutions are last, since they are
 * long.
 */
const fields = [
  "set",
  "size",
  "goal",
  "number",
  "board",
  "search",
  "heuristic",
  "status",
  "limit",
  "length",
  "optimal_length",
  "h0",
  "generated",
  "expanded",
  "reopened",
  "peak",
  "peak_bytes",
  "branching_factor",
  "ms",
  "moves",
] as const satisfies readonly (keyof ComparisonRecord)[];

/** All searches, one per line. */
export function recordsCsv(records: readonly ComparisonRecord[]): string {
  return csv([fields, ...records.map((record) => fields.map((field) => record[field]))]);
}
