// The plots of a comparison: what is worth seeing in its records.

import type { ComparisonRecord } from "sliding-tile-pdb";
import {
  heuristicNames,
  heuristicTitle,
  isOptimal,
  searches,
  searchTitle,
  setTitle,
} from "./names.ts";
import type { Plot, PlotPoint, Series, Style } from "./plot.ts";
import { linearScale, logScale, long, type Scale } from "./scale.ts";
import { groupBy, isCut, mean, median, summarize, type Group } from "./statistics.ts";

/** Dots of a series that are drawn one by one, at most: more would be a blot. */
const mostDots = 400;

type Pair = Pick<ComparisonRecord, "search" | "heuristic">;

const distinct = (items: readonly string[]) => [...new Set(items)];

/**
 * A number from 0 to `count - 1` per name: its place in `order`, so that a name keeps its colour
 * whatever else is chosen. Names share a number only where there are more than `count`.
 */
function stylesOf(names: readonly string[], order: readonly string[], count: number) {
  const found = new Map<string, number>();
  const place = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  const taken = new Set<number>();
  for (const name of distinct(names).sort((one, other) => place(one) - place(other))) {
    let number = place(name) % count;
    while (taken.has(number)) number = (number + 1) % count;
    taken.add(number);
    if (taken.size === count) taken.clear();
    found.set(name, number);
  }
  return found;
}

const searchNames = searches.map(({ name }) => name);
const marks = 8;
const dashes = 4;

/** By colour and shape the one of heuristics and searches of which there are more. */
function styles(pairs: readonly Pair[]): (pair: Pair) => Style {
  const heuristics = pairs.map(({ heuristic }) => heuristic);
  const searches = pairs.map(({ search }) => search);
  const areHeuristicsMarks = distinct(heuristics).length >= distinct(searches).length;
  const byHeuristic = stylesOf(heuristics, heuristicNames, areHeuristicsMarks ? marks : dashes);
  const bySearch = stylesOf(searches, searchNames, areHeuristicsMarks ? dashes : marks);
  return ({ heuristic, search }) => {
    const [first, second] = [byHeuristic.get(heuristic) ?? 0, bySearch.get(search) ?? 0];
    return areHeuristicsMarks ? { mark: first, dash: second } : { mark: second, dash: first };
  };
}

export function pairName({ search, heuristic }: Pair): string {
  return heuristic === "none"
    ? searchTitle(search)
    : `${searchTitle(search)}, ${heuristicTitle(heuristic)}`;
}

const about = (value: number, isLowerBound: boolean) =>
  `${isLowerBound ? "more than " : ""}${long(value)}`;

function logOver(values: readonly number[]): Scale {
  return logScale(Math.min(...values), Math.max(...values));
}

const nodesOf = (value: number | null) => Math.max(1, value ?? 1);
/** Clocks of browsers count in steps: less than this is not known. */
const msOf = (value: number | null) => Math.max(0.001, value ?? 0.001);

/**
 * Nodes against the length: dots, and the median of each length. Where some search promises it, the
 * length is that of a shortest solution, so that a board has the same place for every search.
 */
export function nodesByLength(records: readonly ComparisonRecord[], title: string): Plot | null {
  const shortest = new Map(records.map(({ board, optimal_length }) => [board, optimal_length]));
  for (const { board, optimal_length } of records) {
    if (optimal_length !== undefined) shortest.set(board, optimal_length);
  }
  const isKnown = [...shortest.values()].some((length) => length !== undefined);
  const lengthOf = ({ board, length }: ComparisonRecord) =>
    isKnown ? shortest.get(board) : length;
  const placed = records.flatMap((record) => {
    const length = record.status === "solved" ? lengthOf(record) : undefined;
    return length === undefined ? [] : { ...record, length };
  });
  if (placed.length === 0) return null;
  const style = styles(records);
  const groups = groupBy(placed, ({ search, heuristic }) => `${search}\n${heuristic}`);
  const series = [...groups.values()].map((group): Series => {
    const lengths = groupBy(group, ({ length }) => String(length));
    const points = [...lengths.entries()]
      .map(([text, members]): PlotPoint => {
        const y = nodesOf(median(members.map(({ generated }) => generated)));
        const boards = members.length === 1 ? "1 board" : `median of ${members.length} boards`;
        const words = `${pairName(group[0])}: ${text} moves, ${long(y)} nodes, ${boards}`;
        return { x: Number(text), y, words };
      })
      .sort((one, other) => one.x - other.x);
    const every = Math.ceil(group.length / mostDots);
    const dots = group
      .filter((_, index) => index % every === 0)
      .map(({ length, generated }): [number, number] => [length, nodesOf(generated)]);
    return { name: pairName(group[0]), style: style(group[0]), points, dots };
  });
  const lengths = placed.map(({ length }) => length);
  const lost = records.length - placed.length;
  return {
    id: "nodes-by-length",
    title: `${title}: nodes by length of the solution`,
    note:
      lost > 0
        ? `${long(lost)} searches over the limit, or of boards whose length is not known, are not here.`
        : "Dots are boards, markers the median of all boards of that length.",
    x: {
      label: isKnown ? "moves of a shortest solution" : "moves of the solution",
      scale: linearScale(Math.min(...lengths), Math.max(...lengths)),
    },
    y: {
      label: "nodes generated",
      scale: logOver(placed.map(({ generated }) => nodesOf(generated))),
    },
    series,
  };
}

/** The mean of something by heuristic, one row for each search. */
function byHeuristic(
  groups: readonly Group[],
  title: string,
  what: { id: string; label: string; unit: string; value: (group: Group) => number },
): Plot | null {
  if (groups.length === 0) return null;
  const names = distinct(groups.map(({ heuristic }) => heuristic));
  const searchesUsed = groups.map(({ search }) => search);
  const bySearch = stylesOf(searchesUsed, searchNames, marks);
  const series = [...groupBy(groups, ({ search }) => search).entries()].map(
    ([search, members]): Series => ({
      name: searchTitle(search),
      style: { mark: bySearch.get(search) ?? 0, dash: 0 },
      points: members.map((group) => {
        const value = what.value(group);
        const isLowerBound = isCut(group);
        const words =
          `${pairName(group)}: ${about(value, isLowerBound)} ${what.unit} in the mean` +
          (isLowerBound ? `, ${group.runs - group.solved} of ${group.runs} over the limit` : "");
        return { x: value, y: names.indexOf(group.heuristic), words, isLowerBound };
      }),
    }),
  );
  const values = groups.map(what.value);
  return {
    id: what.id,
    title: `${title}: mean ${what.label} by heuristic`,
    ...(groups.some(isCut) && { note: ">: more than this; a limit ended some searches." }),
    x: { label: what.label, scale: logScale(Math.min(...values) / 2, Math.max(...values)) },
    y: { bands: names.map(heuristicTitle) },
    series,
  };
}

export function nodesByHeuristic(groups: readonly Group[], title: string): Plot | null {
  const value = (group: Group) => nodesOf(group.meanGenerated);
  return byHeuristic(groups, title, {
    id: "nodes-by-heuristic",
    label: "nodes generated",
    unit: "nodes",
    value,
  });
}

export function timeByHeuristic(groups: readonly Group[], title: string): Plot | null {
  const value = (group: Group) => msOf(group.meanMs);
  return byHeuristic(groups, title, {
    id: "time-by-heuristic",
    label: "milliseconds",
    unit: "ms",
    value,
  });
}

const walkOf = (set: string) => Number(/^walk-(\d+)$/.exec(set)?.[1] ?? NaN);

/** How long solutions are after so many random moves; all optimal searches are one line. */
export function lengthByShuffles(records: readonly ComparisonRecord[]): Plot | null {
  const walks = records.filter(({ set, length }) => walkOf(set) >= 0 && length !== undefined);
  if (distinct(walks.map(({ set }) => set)).length < 2) return null;
  const groups = groupBy(walks, ({ size, search, heuristic }) =>
    isOptimal(search) ? size : `${size}\n${search}\n${heuristic}`,
  );
  const sizes = distinct(walks.map(({ size }) => size));
  const series = [...groups.values()].map((group, index): Series => {
    const { size } = group[0];
    const isShortest = isOptimal(group[0].search);
    const name = isShortest ? `${size}, shortest` : `${size}, ${pairName(group[0])}`;
    // Each board once: several searches solved it.
    const boards = [
      ...new Map(group.map((record) => [record.set + record.board, record])).values(),
    ];
    const points = [...groupBy(boards, ({ set }) => set).entries()].map(([set, members]) => {
      const x = walkOf(set);
      const y = mean(members.map(({ length = 0 }) => length)) ?? 0;
      const words = `${name}: ${long(y)} moves after ${x} random moves, ${members.length} boards`;
      return { x, y, words };
    });
    points.sort((one, other) => one.x - other.x);
    return { name, style: { mark: index % 8, dash: sizes.indexOf(size) % 4 }, points };
  });
  const all = series.flatMap(({ points }) => points);
  return {
    id: "length-by-shuffles",
    title: "Length of solutions by random moves",
    note: "Only boards that were solved.",
    x: { label: "random moves", scale: linearScale(0, Math.max(...all.map(({ x }) => x))) },
    y: {
      label: "moves of the solution",
      scale: linearScale(0, Math.max(...all.map(({ y }) => y))),
    },
    series,
    diagonal: "as many",
  };
}

/** Mean nodes after so many random moves, for the boards of one size. */
export function nodesByShuffles(all: readonly Group[], size: string): Plot | null {
  const groups = all.filter((group) => group.size === size && walkOf(group.set) >= 0);
  if (distinct(groups.map(({ set }) => set)).length < 2) return null;
  const style = styles(groups);
  const pairs = groupBy(groups, ({ search, heuristic }) => `${search}\n${heuristic}`);
  const series = [...pairs.values()].map((members): Series => {
    const points = members.map((group) => {
      const y = nodesOf(group.meanGenerated);
      const isLowerBound = isCut(group);
      const words = `${pairName(group)}, ${setTitle(size, group.set)}: ${about(y, isLowerBound)} nodes`;
      return { x: walkOf(group.set), y, words, isLowerBound };
    });
    points.sort((one, other) => one.x - other.x);
    return { name: pairName(members[0]), style: style(members[0]), points };
  });
  const points = series.flatMap((each) => each.points);
  return {
    id: "nodes-by-shuffles",
    title: `${size}: mean nodes by random moves`,
    ...(groups.some(isCut) && { note: ">: more than this; a limit ended some searches." }),
    x: { label: "random moves", scale: linearScale(0, Math.max(...points.map(({ x }) => x))) },
    y: { label: "nodes generated", scale: logOver(points.map(({ y }) => y)) },
    series,
  };
}

/** The sets of boards in records: each has plots of its own. */
export function setsOf(records: readonly ComparisonRecord[]): { key: string; title: string }[] {
  const sets = groupBy(records, ({ size, set }) => `${size} ${set}`);
  return [...sets].map(([key, [{ size, set }]]) => ({ key, title: setTitle(size, set) }));
}

/** All plots that there are for a set of boards. */
export function plotsOf(records: readonly ComparisonRecord[], key: string): Plot[] {
  const own = records.filter(({ size, set }) => `${size} ${set}` === key);
  if (own.length === 0) return [];
  const title = setTitle(own[0].size, own[0].set);
  const groups = summarize(own);
  return [
    nodesByLength(own, title),
    nodesByHeuristic(groups, title),
    timeByHeuristic(groups, title),
    nodesByShuffles(summarize(records), own[0].size),
    lengthByShuffles(records),
  ].filter((plot) => plot !== null);
}
