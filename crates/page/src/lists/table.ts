/** The table of a list as text, for other programs. */
import { csv, type Cell } from "../laboratory/text.ts";
import { text } from "../text/text.svelte.ts";
import type { Row } from "./list.svelte.ts";

/** Fields of a row. Their names do not depend on the language, since programs read them. */
const fields = ["line", "board", "length", "proved", "bound", "ms", "nodes", "state", "moves"];

function cellsOf(row: Row): Cell[] {
  const { line, board, report, state, error } = row;
  return [
    line,
    typeof board === "string" ? row.text : board.board,
    report?.length,
    report?.proved,
    report?.bound,
    report?.ms === undefined ? undefined : Math.round(report.ms * 10) / 10,
    report?.nodes,
    error === undefined ? state : `error: ${error}`,
    report?.moves,
  ].map((cell) => (typeof cell === "boolean" ? (cell ? "yes" : "no") : cell));
}

export const tableCsv = (rows: readonly Row[]): string => csv([fields, ...rows.map(cellsOf)]);

/** Columns separated by tabs, for spreadsheets. */
export const tableText = (rows: readonly Row[]): string =>
  [fields, ...rows.map(cellsOf)]
    .map((cells) => cells.map((cell) => String(cell ?? "").replace(/\s+/g, " ")).join("\t") + "\n")
    .join("");

/** Text of the column "State" for a row. */
export function stateText({ state, error, known, report }: Row): string {
  if (error !== undefined) return error;
  const length = report?.length;
  if (state !== "solved" || length === undefined || known === undefined) {
    return text.lists.states[state];
  }
  // An unproved solution can be longer than the known length.
  const isProved = report?.proved ?? false;
  const isOther = length < known || (isProved && length > known);
  return isOther ? text.lists.known(known) : text.lists.states.solved;
}
