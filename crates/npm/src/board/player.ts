/** Calls `step` in each frame with the number of moves that are due at the chosen speed. */
export class Player {
  /** Moves per second. */
  speed = 4;
  readonly #step: (moves: number) => void;
  #frame: number | undefined;
  #last = 0;
  #owed = 0;

  constructor(step: (moves: number) => void) {
    this.#step = step;
  }

  get isPlaying(): boolean {
    return this.#frame !== undefined;
  }

  start(): void {
    if (this.isPlaying) return;
    this.#last = performance.now();
    // The first move is made immediately.
    this.#owed = 1;
    this.#frame = requestAnimationFrame(this.#tick);
  }

  stop(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#frame = undefined;
  }

  readonly #tick = (): void => {
    const now = performance.now();
    // A tab that was in the background does not catch up on missed moves.
    this.#owed += (Math.min(now - this.#last, 250) / 1000) * this.speed;
    this.#last = now;
    this.#frame = requestAnimationFrame(this.#tick);
    const due = Math.floor(this.#owed);
    this.#owed -= due;
    if (due > 0) this.#step(due);
  };
}
