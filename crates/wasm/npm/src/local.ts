/** Calls on the caller's thread, for hosts without workers or with `worker: false`. */
import { ModuleCalls } from "./module-calls.js";
import { PuzzleError, fromWire, type WireError } from "./error.js";
import { poll } from "./glue.js";
import type { Arguments, OperationName, Value } from "./protocol.js";
import type { CallTools, Thread } from "./thread.js";
import { beginWhole } from "./whole.js";

/** The caller's thread. Only listeners can cancel its calls. */
export class LocalThread implements Thread {
  readonly way = "none";
  readonly threads = 1;
  isDead = false;
  readonly #calls: ModuleCalls;

  constructor(module: WebAssembly.Module) {
    this.#calls = new ModuleCalls(beginWhole(module), 1);
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
      const work = this.#calls[name].bind(this.#calls) as (...args: unknown[]) => Value<Name>;
      return work(...args);
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
