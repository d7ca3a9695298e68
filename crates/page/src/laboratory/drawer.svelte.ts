import type { ComparisonRecord, Plot, PlotOptions } from "sliding-tile-pdb";
import { isCancelled, pageError } from "../solver/error.ts";
import { Bench } from "./bench.ts";

/** Milliseconds between two drawings during a comparison. */
const pause = 1000;
/** Maximum share of the page's time for sending records to the worker. */
const share = 0.05;

/** The records to draw, with the options of their plots. */
export interface Subject {
  records: readonly ComparisonRecord[];
  options: PlotOptions;
}

/** Draws plots in a worker of its own, because the worker of a comparison is busy with searches. */
export class Drawer {
  plots = $state.raw<readonly Plot[]>([]);
  failure = $state<string | null>(null);
  #bench: Bench;
  #next: Subject | null = null;
  #isBusy = false;

  constructor(bench = new Bench()) {
    this.#bench = bench;
  }

  /**
   * Draws the plots of `subject`, after the current drawing if there is one. A later call replaces
   * a subject that is still waiting.
   */
  async show(subject: Subject): Promise<void> {
    this.#next = subject;
    if (this.#isBusy) return;
    this.#isBusy = true;
    while (this.#next !== null) {
      const { records, options }: Subject = this.#next;
      this.#next = null;
      let wait = pause;
      try {
        const laboratory = await this.#bench.get();
        const begin = performance.now();
        const drawn = laboratory.plots(records, options);
        // The call blocks the page while it copies the records. The worker then draws without
        // blocking the page.
        wait = Math.max(pause, (performance.now() - begin) / share);
        this.plots = await drawn;
        this.failure = null;
      } catch (error) {
        if (!isCancelled(error)) this.failure = pageError(error).text;
      }
      if (this.#next !== null) await this.#rest(wait);
    }
    this.#isBusy = false;
  }

  #wake: () => void = () => undefined;

  #rest(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /**
   * Starts the next drawing without a pause. Call this when the records are complete or the visitor
   * has changed the view.
   */
  hurry(): void {
    this.#wake();
  }

  /** A plot as a separate document, with its title and legend. */
  async document(name: Plot["name"], { records, options }: Subject): Promise<string | undefined> {
    const laboratory = await this.#bench.get();
    const plots = await laboratory.plots(records, { ...options, width: 960, bare: false });
    return plots.find((plot) => plot.name === name)?.svg;
  }

  close(): void {
    this.#next = null;
    this.#bench.close();
  }
}
