import { text } from "../text/text.svelte.ts";
import { type PresetName, presetOf } from "./preset.ts";

/** Maximum number of cells for which `goalLabel` includes the rows of the goal. */
const short = 64;

/** The goal's rows of numbers. */
export function goalRows(goal: readonly number[], columns: number): string[] {
  const names = goal.map((tile) => (tile ? String(tile) : text.goal.blank));
  return Array.from({ length: goal.length / columns }, (_, row) =>
    names.slice(row * columns, (row + 1) * columns).join(" "),
  );
}

export function goalName(goal: readonly number[], columns: number): string {
  const preset = presetOf(goal, columns);
  return preset ? text.goal.presets[preset] : text.goal.ownOrder;
}

/** The page's name of a goal that the package names. */
export const nameOf = (name: string): string =>
  text.goal.presets[name === "snail" ? "spiral" : (name as PresetName)];

/** The text alternative of a picture of the goal: name and rows. */
export function goalLabel(goal: readonly number[], columns: number): string {
  const rows = goal.length > short ? "" : `: ${goalRows(goal, columns).join("; ")}`;
  return text.goal.label(goalName(goal, columns), rows);
}
