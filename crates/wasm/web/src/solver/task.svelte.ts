/**
 * Work of which only the latest request counts: starting anew gives up what was going on, and an
 * answer that comes too late is dropped, whatever became of it.
 */
export class Task {
  /** Whether an answer is awaited. */
  busy = $state(false);

  #abort: AbortController | null = null;

  /**
   * Runs the work. Resolves to `undefined` if it was dropped meanwhile, be it finished or failed;
   * rejects only with errors of work that still counts.
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

  /** Gives up at once; nothing more is heard of the work. */
  drop(): void {
    const abort = this.#abort;
    this.#abort = null;
    this.busy = false;
    abort?.abort();
  }
}
