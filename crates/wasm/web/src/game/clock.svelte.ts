/** The time of a game. It stands still while the page is hidden. */
export class Clock {
  /** Milliseconds, refreshed some times a second while the clock runs. */
  elapsed = $state(0);
  #since: number | null = null;
  #timer: ReturnType<typeof setInterval> | undefined;
  #before = 0;

  constructor() {
    if (typeof document === "undefined") return;
    let paused = false;
    document.addEventListener("visibilitychange", () => {
      if (document.hidden && this.isRunning) {
        this.stop();
        paused = true;
      } else if (!document.hidden && paused) {
        paused = false;
        this.run();
      }
    });
  }

  get isRunning(): boolean {
    return this.#since !== null;
  }

  run(): void {
    if (this.isRunning) return;
    this.#before = this.elapsed;
    this.#since = performance.now();
    this.#timer = setInterval(() => this.#read(), 200);
  }

  stop(): void {
    if (!this.isRunning) return;
    this.#read();
    clearInterval(this.#timer);
    this.#since = null;
  }

  reset(elapsed = 0): void {
    this.stop();
    this.elapsed = elapsed;
  }

  #read(): void {
    if (this.#since !== null) this.elapsed = this.#before + performance.now() - this.#since;
  }
}

/** `0:07`, `12:34`, `1:02:03`. */
export function clockText(elapsed: number): string {
  const seconds = Math.floor(elapsed / 1000);
  const two = (number: number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return (hours ? `${hours}:${two(minutes)}` : `${minutes}`) + `:${two(seconds % 60)}`;
}
