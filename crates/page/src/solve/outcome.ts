/** Texts for the outcome of a search. */
import type { SearchProgress } from "sliding-tile-pdb";
import { heuristicTitle, searchTitle } from "../laboratory/names.ts";
import { text } from "../text/text.svelte.ts";
import { countText, movesCount, nodesCount, timeText } from "../common/format.ts";
import type { Found } from "./solution.ts";

export interface Outcome {
  tone: "good" | "plain" | "bad";
  /** One or two sentences. */
  text: string;
  /** Numbers: time and nodes. */
  detail: string;
}

/** Outcome of a search with an answer. `longer` is the number of moves lost by a detour. */
export function outcomeOf(report: Found, notes: { longer?: number; end?: string } = {}): Outcome {
  const { solve } = text;
  const parts = [lengthOf(report)];
  if (report.count === 1) parts.push(solve.onlyOne);
  else if (report.count !== undefined) parts.push(solve.ofThem(countText(report.count)));
  if (notes.longer !== undefined) parts.push(detourText(notes.longer));
  if (notes.end !== undefined) parts.unshift(notes.end);
  return {
    tone: report.proved ? "good" : "plain",
    text: parts.join(" "),
    detail: detailOf(report),
  };
}

/** Outcome of moves that the visitor entered or a link contains. */
export function outcomeOfEntered(
  moves: number,
  { solves, isFromLink }: { solves: boolean; isFromLink: boolean },
  isAtStart: boolean,
): Outcome {
  const { linkHasSolution, linkHasMoves, movesSolve, movesEnd } = text.game;
  const [solution, others] =
    isFromLink && isAtStart ? [linkHasSolution, linkHasMoves] : [movesSolve, movesEnd];
  const words = (solves ? solution : others)(moves);
  return { tone: "plain", text: words, detail: "" };
}

/** A sentence with the length of the solution and the proved bound. */
function lengthOf(report: Found): string {
  const { solve } = text;
  const moves = movesCount(report.length ?? 0);
  if (report.proved) return solve.isOptimal(moves);
  const bound = report.bound ?? report.h0 ?? 0;
  return bound > 0 ? solve.atLeast(moves, countText(bound)) : solve.mayBeLonger(moves);
}

function detourText(longer: number): string {
  const { solve } = text;
  if (longer === 0) return solve.wayAsShort;
  const moves = countText(Math.abs(longer));
  return longer > 0 ? solve.wayLonger(moves) : solve.wayShorter(moves);
}

function detailOf(report: Found): string {
  const parts: string[] = [];
  if (report.search !== undefined) parts.push(searchTitle(report.search));
  if (report.tables && report.mode !== "strategic") parts.push(heuristicTitle(report.tables));
  if (report.search !== undefined && report.h0 !== undefined) parts.push(`h ${report.h0}`);
  if (report.nodes) parts.push(nodesCount(report.nodes));
  if (report.ms !== undefined) parts.push(timeText(report.ms));
  return parts.join(" · ");
}

/** Outcome of a search that was cancelled or reached a limit without an answer. */
export function outcomeWithout(start: string, live: SearchProgress | null): Outcome {
  const bound = live && live.bound > 0 ? ` ${text.solve.noneShorter(movesCount(live.bound))}` : "";
  const detail = live ? detailOf({ status: "limit", ms: live.ms, nodes: live.nodes }) : "";
  return { tone: "plain", text: `${start}${bound}`, detail };
}
