// What heuristics and searches are called on the page, and what they do in a sentence.

interface Words {
  title: string;
  sentence: string;
}

const heuristicWords: Partial<Record<string, Words>> = {
  zero: { title: "Zero", sentence: "Knows nothing: 0 for every board." },
  misplaced: {
    title: "Misplaced tiles",
    sentence: "Counts the tiles that are not at home: each has to move at least once.",
  },
  manhattan: {
    title: "Manhattan distance",
    sentence: "Adds up the columns and rows between each tile and its home.",
  },
  "linear-conflict": {
    title: "Linear conflict",
    sentence: "Manhattan distance, and 2 for each tile that must let others pass in its line.",
  },
  "inversion-distance": {
    title: "Inversion distance",
    sentence: "Counts pairs of tiles in the wrong order: a move mends only a few of them.",
  },
  "walking-distance": {
    title: "Walking distance",
    sentence: "Solves a simpler puzzle exactly, in which the tiles of a line look alike.",
  },
};

/** Heuristics with words of their own, in the order of their colours in plots. */
export const heuristicNames: readonly string[] = Object.keys(heuristicWords);

export function heuristicTitle(name: string): string {
  if (name === "none") return "no heuristic";
  return heuristicWords[name]?.title ?? `Pattern database ${name}`;
}

export function heuristicSentence(name: string): string {
  return (
    heuristicWords[name]?.sentence ??
    "Exact distances of a few tiles at a time, from tables made before."
  );
}

export const searches: readonly (Words & { name: string; isBlind: boolean })[] = [
  {
    name: "astar",
    title: "A*",
    sentence: "Expands the fewest nodes, and keeps all of them in memory.",
    isBlind: false,
  },
  {
    name: "ida-star",
    title: "IDA*",
    sentence: "Keeps nothing but one path, and visits boards again and again.",
    isBlind: false,
  },
  {
    name: "weighted-astar:1.5",
    title: "Weighted A*, 1.5",
    sentence: "Fewer nodes than A*; solutions at most 1.5 times as long as the shortest.",
    isBlind: false,
  },
  {
    name: "greedy",
    title: "Greedy",
    sentence: "Follows the heuristic alone: quick, with long solutions.",
    isBlind: false,
  },
  {
    name: "bidirectional",
    title: "Bidirectional (NBS)",
    sentence: "Starts at both ends and meets in the middle.",
    isBlind: false,
  },
  {
    name: "breadth-first",
    title: "Breadth-first",
    sentence: "In all directions at once, without a heuristic.",
    isBlind: true,
  },
  {
    name: "uniform-cost",
    title: "Uniform cost",
    sentence: "By the moves so far, without a heuristic.",
    isBlind: true,
  },
];

export function searchTitle(name: string): string {
  return searches.find((search) => search.name === name)?.title ?? name;
}

export function isBlind(name: string): boolean {
  return searches.find((search) => search.name === name)?.isBlind ?? false;
}

/** Searches whose solutions may be longer than need be. */
export function isOptimal(name: string): boolean {
  return name !== "greedy" && !name.startsWith("weighted-astar");
}

/** The name of a set of boards: `random`, `walk-30`, `given`. */
export function setTitle(size: string, set: string): string {
  const walk = /^walk-(\d+)$/.exec(set);
  if (walk) return `${size}, ${walk[1]} moves`;
  return set === "given" ? `${size}, this board` : `${size}, random`;
}
