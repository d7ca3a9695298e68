/** The result of the last solved game, while its board is shown. */
import type { Standing } from "./records.svelte.ts";

export const solved = $state<{ standing: Standing | null }>({ standing: null });
