import type { Hint, Report, SearchProgress, Solution, Solver } from "sliding-tile-pdb";
import type { SolverOptions } from "sliding-tile-pdb";

export { seeded } from "../../tests/puzzle.mjs";

/** A pending call, answered by the test. */
export interface FakeCall {
  board: string;
  signal: AbortSignal | undefined;
  onProgress: ((progress: SearchProgress) => void) | undefined;
  answer: (report: Partial<Report>) => void;
  fail: (error: Error) => void;
}

/** A fake solver, which records calls and answers when the test requests it. */
export class FakeSolver {
  asked: FakeCall[] = [];
  isClosed = false;
  hint_: Hint | null = null;
  /** The abort signals of calls that build tables of other goal cells. */
  otherGoals: (AbortSignal | undefined)[] = [];

  constructor(readonly options: SolverOptions) {}

  get solver(): Solver {
    const wait = (board: unknown, signal?: AbortSignal, onProgress?: FakeCall["onProgress"]) =>
      new Promise<Report>((resolve, reject) => {
        const fail = (error: Error) => reject(error);
        const answer = (report: Partial<Report>) => resolve({ status: "solved", ...report });
        this.asked.push({ board: String(board), signal, onProgress, answer, fail });
        signal?.addEventListener("abort", () =>
          reject(Object.assign(new Error("cancelled"), { code: "cancelled" })),
        );
      });
    const solver: Partial<Solver> = {
      metric: this.options.metric ?? "single",
      partition: this.options.partition ?? "default",
      tables: [],
      ms: 1,
      memory: () => Promise.resolve(1000),
      solve: async (board, options) =>
        (await wait(board, options?.signal, options?.onProgress)) as Solution,
      hint: async (board, options) => {
        await wait(board, options?.signal);
        if (!this.hint_) throw new Error("the test has no hint");
        return this.hint_;
      },
      openOtherGoals: async (options) => void this.otherGoals.push(options?.signal),
      close: () => void (this.isClosed = true),
    };
    return solver as Solver;
  }
}

/** Runs all pending promise callbacks. */
export const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
