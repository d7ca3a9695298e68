/** Moves of boards, by the rules of the package's board element. */
export * from "sliding-tile-pdb/board-rules";
