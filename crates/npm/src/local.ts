/** Calls on the caller's thread, for hosts without workers or with `worker: false`. */
import { PuzzleError, fromWire, type WireError } from "./error.js";
import { ModuleCalls, poll } from "./glue.js";
import { beginLaboratory } from "./laboratory-instance.js";
import type { Arguments, OperationName, Value } from "./protocol.js";
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
    const begin = purpose === "solver" ? beginSolver : beginLaboratory;
    this.#calls = new ModuleCalls(begin(module), 1);
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
    // After a trap, the module's objects cannot be freed.
    if (error.isFatal) this.isDead = true;
    return fromWire(error);
  }
}
