/** Whether the visitor arranges the board by hand instead of playing. */
export const arranging = $state({ on: false });
