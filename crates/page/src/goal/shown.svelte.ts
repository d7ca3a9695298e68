/** Whether the goal is shown in place of the board. */
export const goalShown = $state({ on: false });
