/** The words of the hint, for the strip above the board, which is there before the solver is. */
export const hintShown = $state({ words: "" });
