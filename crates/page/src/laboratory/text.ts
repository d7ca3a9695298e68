// Tables as text, for programs and reports.

import type { ComparisonRecord } from "sliding-tile-pdb";

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
