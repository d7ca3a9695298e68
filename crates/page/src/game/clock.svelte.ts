import { panel } from "../common/panel.svelte.ts";

/**
 * The clock of a game, which stops while the page is hidden or a dialog is open. It has no timer:
 * `elapsed` is exact at each reading, and displays read it as often as they need.
 */
export class Clock {
  /** Elapsed milliseconds at the last stop. */
  #before = $state(0);
  /** Time of the start by `performance.now()`; `null` while the clock is stopped. */
  #since = $state<number | null>(null);
  /** End of the inspection; `null` without an inspection. */
  #inspectedUntil = $state<number | null>(null);
  #inspection: ReturnType<typeof setTimeout> | undefined;
  /** Whether the clock is stopped only by `pause`. */
  #isPaused = false;

  constructor() {
    if (typeof document === "undefined") return;
    document.addEventListener("visibilitychange", () => this.pause());
  }

  /** Stops the clock while a dialog is open or the page is hidden; it runs again afterwards. */
  pause(): void {
    const isAway = panel.dialog !== null || document.hidden;
    if (isAway && this.isRunning) {
      this.stop();
      this.#isPaused = true;
    } else if (!isAway && this.#isPaused) this.run();
  }

  /** Elapsed milliseconds. */
  get elapsed(): number {
    return this.#before + (this.#since === null ? 0 : performance.now() - this.#since);
  }

  get isRunning(): boolean {
    return this.#since !== null;
  }

  get isInspecting(): boolean {
    return this.#inspectedUntil !== null;
  }

  /** Remaining inspection time, in milliseconds. */
  get inspectionLeft(): number {
    const until = this.#inspectedUntil;
    return until === null ? 0 : Math.max(0, until - performance.now());
  }

  /** Starts the clock after `duration` milliseconds, or at the first move if that is earlier. */
  inspect(duration: number): void {
    if (this.isRunning) return;
    this.#endInspection();
    this.#inspectedUntil = performance.now() + duration;
    this.#inspection = setTimeout(() => {
      if (!document.hidden) return this.run();
      this.#endInspection();
      this.#isPaused = true;
    }, duration);
  }

  run(): void {
    this.#endInspection();
    this.#isPaused = false;
    if (!this.isRunning) this.#since = performance.now();
  }

  stop(): void {
    this.#endInspection();
    this.#isPaused = false;
    this.#before = this.elapsed;
    this.#since = null;
  }

  reset(elapsed = 0): void {
    this.stop();
    this.#before = elapsed;
  }

  #endInspection(): void {
    clearTimeout(this.#inspection);
    this.#inspectedUntil = null;
  }
}

/** `0:07`, `12:34`, `1:02:03`; with 2 or 3 digits `0:07.12`, `0:07.123`. Never rounded up. */
export function clockText(elapsed: number, digits: 0 | 2 | 3 = 0): string {
  const ms = Math.floor(elapsed);
  const seconds = Math.floor(ms / 1000);
  const two = (number: number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const fraction = digits ? `.${String(ms % 1000).padStart(3, "0").slice(0, digits)}` : "";
  return (hours ? `${hours}:${two(minutes)}` : `${minutes}`) + `:${two(seconds % 60)}${fraction}`;
}
