import { load, save } from "./browser.ts";

export const themes = ["auto", "light", "dark", "contrast"] as const;
export type Theme = (typeof themes)[number];

/** Milliseconds per slide for each speed. */
export const speeds = { slow: 260, normal: 130, fast: 70, instant: 0 } as const;
export type Speed = keyof typeof speeds;

/** Milliseconds between two frames of most screens. */
const FRAME = 17;

/** The visitor's settings, stored for the next visit. */
class Settings {
  theme = $state<Theme>("auto");
  /** Whether pieces of a picture have numbers. */
  numbers = $state(true);
  speed = $state<Speed>("normal");
  /** Milliseconds between the moves of a playback. */
  interval = $state(Infinity);
  /** Whether the system requests reduced motion. */
  reducedMotion = $state(false);
  /** Whether the system requests more contrast. */
  #wantsContrast = $state(false);
  /** Whether the system requests dark colours. */
  #wantsDark = $state(false);

  /**
   * Duration of a slide in milliseconds. It is 0 if the system requests reduced motion, or if the
   * moves of a playback are less than `FRAME` apart.
   */
  readonly slide = $derived(
    this.reducedMotion || this.interval < FRAME ? 0 : Math.min(speeds[this.speed], this.interval),
  );

  constructor() {
    this.#load();
    if (typeof matchMedia === "undefined") return;
    // Reloads the settings when another tab has changed them.
    addEventListener("storage", () => this.#load());

    const motion = matchMedia("(prefers-reduced-motion: reduce)");
    this.reducedMotion = motion.matches;
    motion.addEventListener("change", () => (this.reducedMotion = motion.matches));
    const contrast = matchMedia("(prefers-contrast: more)");
    this.#wantsContrast = contrast.matches;
    contrast.addEventListener("change", () => (this.#wantsContrast = contrast.matches));
    const dark = matchMedia("(prefers-color-scheme: dark)");
    this.#wantsDark = dark.matches;
    dark.addEventListener("change", () => (this.#wantsDark = dark.matches));
    $effect.root(() => {
      $effect(() => {
        const { theme, numbers, speed } = this;
        save("settings", { theme, numbers, speed });
        const { dataset } = document.documentElement;
        const contrast = this.#wantsDark ? "contrast" : "contrast-light";
        const shown = theme === "auto" && this.#wantsContrast ? contrast : theme;
        if (shown === "auto") delete dataset.theme;
        else dataset.theme = shown;
      });
    });
  }

  #load(): void {
    const kept = (load("settings") ?? {}) as Record<string, unknown>;
    if (themes.includes(kept.theme as Theme)) this.theme = kept.theme as Theme;
    if (typeof kept.numbers === "boolean") this.numbers = kept.numbers;
    if (Object.hasOwn(speeds, String(kept.speed))) this.speed = kept.speed as Speed;
  }
}

export const settings = new Settings();

/** Length of the inspection in milliseconds. */
export const INSPECTION = 15_000;

let isOn = $state(load("inspection") === true);

/** Whether a new board has an inspection before its clock starts; stored for the next visit. */
export const inspection = {
  get isOn(): boolean {
    return isOn;
  },
  set isOn(on: boolean) {
    isOn = on;
    save("inspection", on);
  },
};
