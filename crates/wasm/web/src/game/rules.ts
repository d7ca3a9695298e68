/** Moves of boards: the rules of the package, which its board element uses too. */
export * from "sliding-tile-pdb/board-rules";
