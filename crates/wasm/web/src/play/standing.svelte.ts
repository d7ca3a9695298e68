/** The result of the game that was solved last, while its board stays. */
import type { Standing } from "./records.svelte.ts";

export const solved = $state<{ standing: Standing | null }>({ standing: null });
