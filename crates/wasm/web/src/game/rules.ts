/** How boards move: the rules of the package, which its board element plays by too. */
export * from "sliding-tile-pdb/board-rules";
