/** Calls on the caller's thread, for hosts without workers or with `worker: false`. */
import { PuzzleError, fromWire, type WireError } from "./error.js";
import { poll } from "./glue.js";
import { LaboratoryCalls } from "./laboratory-calls.js";
import { beginLaboratory } from "./laboratory-instance.js";
import type { ModuleCalls } from "./module-calls.js";
import type { Arguments, OperationName, Value } from "./protocol.js";
import { SolverCalls } from "./solver-calls.js";
import { beginSolver } from "./solver-instance.js";
import type { CallTools, Purpose, Thread } from "./thread.js";

/**
 * Runs calls on the caller's thread. During a call, only the listeners of that call run, so only
 * they can abort the call's signal.
 */
export class LocalThread implements Thread {
  readonly way = "none";
  readonly threads = 1;
  isDead = false;
  readonly #calls: ModuleCalls;

  constructor(purpose: Purpose, module: WebAssembly.Module) {
    this.#calls =
      purpose === "solver"
        ? new SolverCalls(beginSolver(module), 1)
        : new LaboratoryCalls(beginLaboratory(module));
  }

  async call<Name extends OperationName>(
    name: Name,
    args: Arguments<Name>,
    { onEvent = () => {}, signal }: CallTools = {},
  ): Promise<Value<Name>> {
    // Yields first, so that callers can update their display.
    await new Promise((resolve) => setTimeout(resolve));
    if (this.isDead) throw new PuzzleError("the solver is closed");
    this.#calls.onEvent = onEvent;
    poll.isCancelled = () => signal?.aborted ?? false;
    try {
      return this.#calls.call(name, args);
    } catch (thrown) {
      throw this.#failure(this.#calls.failure(thrown));
    } finally {
      poll.isCancelled = () => false;
    }
  }

  cancel(): void {}

  terminate(): void {
    if (this.isDead) return;
    this.isDead = true;
    this.#calls.close();
  }

  #failure(error: WireError): PuzzleError {
    if (error.isFatal) {
      this.isDead = true;
      this.#calls.abandon();
    }
    return fromWire(error);
  }
}
