import { load, save } from "./store.ts";

/** The panels that fold away. */
const names = ["solve", "advice", "laboratory", "tables", "about"] as const;
export type PanelName = (typeof names)[number];

/** A dialog over the page. */
export type DialogName =
  "board" | "goal" | "settings" | "share" | "picture" | "moves" | "link" | "list" | "results";

/**
 * Which panel and which dialog are open. A button elsewhere may also leave a wish, such as "solve":
 * the panel takes it when it is there.
 */
class Panel {
  open = $state<PanelName | null>(null);
  dialog = $state<DialogName | null>(null);
  /** Text that was pasted onto the page: the dialog for boards takes it. */
  pasted: string | null = null;
  /** A list of boards that was pasted or dropped: the dialog for lists takes it. */
  pastedList: string | null = null;
  /** Contents of the share dialog. */
  shared = $state("");
  #wish = $state<string | null>(null);

  /** Reopens the panel that was open in this tab before a reload, and saves it from now on. */
  remember(): void {
    const open = load("panel", "tab") as PanelName;
    if (names.includes(open)) this.open = open;
    $effect.root(() => {
      $effect(() => save("panel", this.open, "tab"));
    });
  }

  /** Opens a panel, and leaves it a wish. */
  show(name: PanelName, wish: string | null = null): void {
    this.open = name;
    this.#wish = wish;
  }

  /** Whether there was this wish; it is then no more. Call it in an effect. */
  take(wish: string): boolean {
    if (this.#wish !== wish) return false;
    this.#wish = null;
    return true;
  }
}

export const panel = new Panel();
