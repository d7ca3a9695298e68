/** How a search ended, in words. */
import type { Report, SearchProgress } from "sliding-tile-pdb";
import { text } from "../text/text.svelte.ts";
import { countText, plural, timeText } from "./format.ts";

export interface Outcome {
  tone: "good" | "plain" | "bad";
  /** One or two sentences. */
  text: string;
  /** Numbers: time and nodes. */
  detail: string;
}

/** Of a search that has an answer. */
export function outcomeOf(report: Report, notes: { way?: string; end?: string } = {}): Outcome {
  const length = report.length ?? 0;
  const parts = [`${plural(length, "move")}${proofOf(report)}`];
  if (report.count === 1) parts.push("It is the only one.");
  else if (report.count !== undefined) parts.push(`There are ${countText(report.count)} of them.`);
  if (notes.way !== undefined) parts.push(notes.way);
  if (notes.end !== undefined) parts.unshift(notes.end);
  return {
    tone: report.proved ? "good" : "plain",
    text: parts.join(" "),
    detail: detailOf(report),
  };
}

/** Of moves that a visitor or a link brought; those of a link invite to play them. */
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

/** How far from optimal a solution is at most: the rest of the sentence. */
function proofOf(report: Report): string {
  if (report.proved ?? report.optimal) return ": no solution is shorter.";
  const excess = (report.length ?? 0) - (report.bound ?? report.h0 ?? 0);
  const known = report.bound ?? report.h0;
  if (known === undefined || known <= 0) return "; shorter solutions may exist.";
  return `, at most ${countText(excess)} too many.`;
}

function detailOf(report: Report): string {
  const parts: string[] = [];
  if (report.ms !== undefined) parts.push(timeText(report.ms));
  if (report.nodes) parts.push(`${countText(report.nodes)} nodes`);
  if (report.tables && report.mode !== "strategic") parts.push(`tables ${report.tables}`);
  return parts.join(" · ");
}

/** Of a search that was given up, or reached a limit, without an answer. */
export function outcomeWithout(start: string, live: SearchProgress | null): Outcome {
  const bound =
    live && live.bound > 0 ? ` No solution is shorter than ${plural(live.bound, "move")}.` : "";
  const detail = live ? detailOf({ status: "limit", ms: live.ms, nodes: live.nodes }) : "";
  return { tone: "plain", text: `${start}${bound}`, detail };
}
