import type { IconName } from "./Icon.svelte";
import type { PanelName } from "./panel.svelte.ts";

export const panelTitles: Record<PanelName, string> = {
  solve: "Solve",
  advice: "Help",
  laboratory: "Laboratory",
  tables: "Tables",
  about: "About",
};

export const panelIcons: Record<PanelName, IconName> = {
  solve: "play",
  advice: "bulb",
  laboratory: "flask",
  tables: "table",
  about: "info",
};
