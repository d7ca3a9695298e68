// Names of heuristics, searches and sets of boards on the page, in the visitor's language.

import { text } from "../text/text.svelte.ts";

/** The text for a name; `undefined` if the table has no text for it. */
const entry = (texts: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(texts, name) ? texts[name] : undefined;

/** Heuristics with their own titles; used while the available heuristics are unknown. */
export const heuristicNames = (): string[] => Object.keys(text.laboratory.heuristics);

/** Whether a heuristic is a pattern database. */
export const isDatabase = (name: string): boolean =>
  !Object.hasOwn(text.laboratory.heuristics, name);

export function heuristicTitle(name: string): string {
  if (name === "none") return text.laboratory.noHeuristic;
  if (name.includes("+")) return name.split("+").map(heuristicTitle).join(" + ");
  return entry(text.laboratory.heuristics, name) ?? text.laboratory.database(name);
}

export function heuristicSentence(name: string): string {
  return entry(text.laboratory.heuristicSentences, name) ?? text.laboratory.databaseSentence;
}

export const searchNames = (): string[] => Object.keys(text.laboratory.searches);

export const searchTitle = (name: string): string => entry(text.laboratory.searches, name) ?? name;

export const searchSentence = (name: string): string | undefined =>
  entry(text.laboratory.searchSentences, name);

/** Whether a search has no heuristic. */
export const isBlind = (name: string): boolean => name === "breadth-first";

/** Whether a search finds shortest solutions with an admissible heuristic. */
export const isOptimal = (name: string): boolean =>
  name !== "greedy" && !name.startsWith("weighted-astar");

export function pairName({ search, heuristic }: { search: string; heuristic: string }): string {
  return heuristic === "none"
    ? searchTitle(search)
    : `${searchTitle(search)}, ${heuristicTitle(heuristic)}`;
}

/** The title of a set of boards, whose name is `random` or for example `walk-30`. */
export function setTitle(size: string, set: string): string {
  const walk = /^walk-(\d+)$/.exec(set);
  if (walk) return text.laboratory.walkedBoards(size, walk[1]);
  return text.laboratory.randomBoards(size);
}
