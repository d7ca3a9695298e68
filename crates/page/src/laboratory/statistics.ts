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

/** Summary of the runs of one search algorithm with one heuristic on one set of boards. */
export interface Group {
  set: string;
  size: string;
  search: string;
  heuristic: string;
  runs: number;
  solved: number;
  /**
   * Number of searches that each limit stopped. Means and medians include the nodes and times of
   * these searches.
   */
  limits: Partial<Record<string, number>>;
  meanLength: number | null;
  meanH0: number | null;
  meanExpanded: number | null;
  medianExpanded: number | null;
  meanGenerated: number | null;
  medianGenerated: number | null;
  meanMs: number | null;
  medianMs: number | null;
  /** Mean over solved boards only. */
  branchingFactor: number | null;
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
  return [...groups.values()].map((group) => {
    const { set, size, search, heuristic } = group[0];
    const solved = group.filter(({ status }) => status === "solved");
    const limits: Group["limits"] = {};
    for (const { status, limit } of group) {
      if (status === "solved") continue;
      const name = limit ?? "limit";
      limits[name] = (limits[name] ?? 0) + 1;
    }
    const all = (field: "h0" | "expanded" | "generated" | "ms") =>
      group.map((record) => record[field]);
    return {
      set,
      size,
      search,
      heuristic,
      runs: group.length,
      solved: solved.length,
      limits,
      meanLength: mean(solved.flatMap(({ length }) => length ?? [])),
      meanH0: mean(all("h0")),
      meanExpanded: mean(all("expanded")),
      medianExpanded: median(all("expanded")),
      meanGenerated: mean(all("generated")),
      medianGenerated: median(all("generated")),
      meanMs: mean(all("ms")),
      medianMs: median(all("ms")),
      branchingFactor: mean(solved.flatMap(({ branching_factor }) => branching_factor ?? [])),
    };
  });
}

/** Whether a limit stopped searches of the group. The means of nodes and times are then too low. */
export function isCut(group: Group): boolean {
  return group.solved < group.runs;
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
