/** Summary of a comparison: the order of its results, and the most and the fewest nodes. */
import { heuristicTitle } from "../laboratory/names.ts";
import { factorText, nodesCount } from "../common/format.ts";
import { text } from "../text/text.svelte.ts";
import type { Trial } from "./trial.ts";
import type { Entry } from "./versus.svelte.ts";

interface Finished extends Entry {
  readonly trial: Trial;
}

const isEnded = (entry: Entry): entry is Finished => entry.trial !== undefined;
const isSolved = (entry: Entry): entry is Finished =>
  isEnded(entry) && entry.trial.limit === undefined;
const byNodes = (one: Finished, other: Finished) => other.trial.nodes - one.trial.nodes;

/**
 * Sorts searches by nodes, most nodes first. Searches stopped by a limit precede all others, since
 * they need more nodes than they generated. Unfinished searches are last.
 */
export function ranked(entries: readonly Entry[]): Entry[] {
  const ended = entries.filter(isEnded);
  return [
    ...ended.filter((entry) => !isSolved(entry)).sort(byNodes),
    ...ended.filter(isSolved).sort(byNodes),
    ...entries.filter((entry) => !isEnded(entry)),
  ];
}

/** The fewest nodes of a completed search; factors are relative to this number. */
export function fewestNodes(entries: readonly Entry[]): number | null {
  const nodes = entries.filter(isSolved).map(({ trial }) => trial.nodes);
  return nodes.length === 0 ? null : Math.max(1, Math.min(...nodes));
}

/** The nodes of a search, formatted by `write`; a lower bound if a limit ended the search. */
export function trialNodes({ limit, nodes }: Trial, write = nodesCount): string {
  return limit ? text.versus.atLeast(write(nodes)) : write(nodes);
}

/** The reason, if all searches failed for the same reason. */
export function failureText(entries: readonly Entry[]): string | undefined {
  const [first] = entries;
  const isCommon = entries.every(({ message }) => message === first.message);
  return first && isCommon ? first.message : undefined;
}

/**
 * The result in sentences: "Most nodes: Zero, at least 12,345,678 nodes. Fewest: ...". A search
 * that a limit ended is named first only if it has at least as many nodes as every finished search.
 */
export function summaryText(entries: readonly Entry[]): string {
  const { versus } = text;
  const solved = entries.filter(isSolved).sort(byNodes);
  const cut = entries.filter(isEnded).filter(({ trial }) => trial.limit !== undefined);
  cut.sort(byNodes);
  const [first, last] = [solved[0], solved.at(-1)];
  const isCutFirst = first && cut[0] && cut[0].trial.nodes >= first.trial.nodes;
  const top = isCutFirst ? cut.shift() : first;
  const named = (
    write: (heuristic: string, nodes: string) => string,
    { heuristic, trial }: Finished,
  ) => write(heuristicTitle(heuristic), trialNodes(trial));
  const parts: string[] = [];
  if (top && top !== last) {
    parts.push(named(isCutFirst || cut.length === 0 ? versus.most : versus.mostSolved, top));
  }
  if (cut.length > 0) {
    parts.push(versus.unfinished(cut.map((entry) => named(versus.withNodes, entry)).join("; ")));
  }
  if (last && top !== last) parts.push(named(versus.fewest, last));
  return parts.join(" ");
}

/** A sentence that compares two searches; empty until both searches have a solution. */
export function pairText(entries: readonly Entry[]): string {
  const { versus } = text;
  const [first, last] = entries.filter(isSolved).sort(byNodes);
  if (!first || !last) return "";
  const [most, least] = [first.trial.nodes, Math.max(1, last.trial.nodes)];
  if (most === last.trial.nodes) return versus.same;
  const names = [heuristicTitle(first.heuristic), heuristicTitle(last.heuristic)] as const;
  return versus.factor(names[0], factorText(most / least), names[1]);
}

/** The bounds of all iterations of IDA* searches, each once, in ascending order. */
export function boundsOf(entries: readonly Entry[]): number[] {
  const all = entries.flatMap(({ progress }) => progress?.iterations ?? []);
  return [...new Set(all.map(({ bound }) => bound))].sort((one, other) => one - other);
}

/** The length of a bar in percent, on a logarithmic scale from 1 to `most` nodes. */
export function barOf(nodes: number, most: number): number {
  if (most <= 1) return nodes > 0 ? 100 : 0;
  return Math.min(100, (100 * Math.log(Math.max(1, nodes))) / Math.log(most));
}
