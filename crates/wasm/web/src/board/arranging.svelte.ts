/** Whether the board is being arranged by hand, instead of played. */
export const arranging = $state({ on: false });
