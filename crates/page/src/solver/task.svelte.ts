/**
 * Runs one piece of work at a time. Starting new work cancels the previous work; answers and errors
 * of cancelled work are discarded.
 */
export class Task {
  /** Whether work is in progress. */
  busy = $state(false);

  #abort: AbortController | null = null;

  /**
   * Runs the work, and returns its result. If the work is replaced or cancelled, returns
   * `undefined`, even if the work then fails.
   */
  async run<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
    this.drop();
    const abort = new AbortController();
    this.#abort = abort;
    this.busy = true;
    try {
      const value = await work(abort.signal);
      return this.#abort === abort ? value : undefined;
    } catch (error) {
      if (this.#abort === abort) throw error;
      return undefined;
    } finally {
      if (this.#abort === abort) {
        this.#abort = null;
        this.busy = false;
      }
    }
  }

  /** Cancels immediately, and discards the answer. */
  drop(): void {
    const abort = this.#abort;
    this.#abort = null;
    this.busy = false;
    abort?.abort();
  }
}
