import { createLaboratory, type Laboratory } from "sliding-tile-pdb";

/** A worker with heuristics, created on first use. */
export class Bench {
  #laboratory: Promise<Laboratory> | null = null;
  #make: () => Promise<Laboratory>;

  constructor(make: () => Promise<Laboratory> = () => createLaboratory()) {
    this.#make = make;
  }

  get(): Promise<Laboratory> {
    if (this.#laboratory === null) {
      const made = this.#make();
      this.#laboratory = made;
      // After a failure, the next call tries again.
      made.catch(() => {
        if (this.#laboratory === made) this.#laboratory = null;
      });
    }
    return this.#laboratory;
  }

  /** Ends the worker and frees its memory. */
  close(): void {
    const made = this.#laboratory;
    this.#laboratory = null;
    made?.then(
      (laboratory) => laboratory.close(),
      () => undefined,
    );
  }
}
