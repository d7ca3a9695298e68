import { load, save } from "./browser.ts";

/** The panels that can be closed. */
const names = ["solve", "advice", "laboratory"] as const;
export type PanelName = (typeof names)[number];

/** A dialog over the page. */
export type DialogName =
  "board" | "goal" | "settings" | "share" | "picture" | "moves" | "results" | "about";

/**
 * The open panel and dialog. A button outside a panel can also store a request for that panel, such
 * as "solve". The panel handles the request once the panel is loaded.
 */
class Panel {
  open = $state<PanelName | null>(null);
  dialog = $state<DialogName | null>(null);
  /** Text pasted onto the page, for the board dialog. */
  pasted: string | null = null;
  /** The comparison of an opened link, for the laboratory. */
  comparison = $state<string | null>(null);
  /** Contents of the share dialog. */
  shared = $state("");
  #wish = $state<string | null>(null);

  /**
   * Reopens the panel that was open in this tab before a reload. From then on, stores the name of
   * the open panel.
   */
  remember(): void {
    const open = load("panel", "tab") as PanelName;
    if (names.includes(open)) this.open ??= open;
    $effect.root(() => {
      $effect(() => save("panel", this.open, "tab"));
    });
  }

  /** Opens a panel, and stores a request for it. */
  show(name: PanelName, wish: string | null = null): void {
    this.open = name;
    this.#wish = wish;
  }

  /** Returns whether the request `wish` is stored, and removes it. Call this in an effect. */
  take(wish: string): boolean {
    if (this.#wish !== wish) return false;
    this.#wish = null;
    return true;
  }
}

export const panel = new Panel();
