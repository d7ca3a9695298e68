/** Calls of a WebAssembly module: in a worker, or on the caller's thread. */
import { UnsupportedError, type WireError } from "./error.js";
import { failureOf } from "./glue.js";
import type { Arguments, Event, OperationName, Value } from "./protocol.js";

/** The calls of one instance, as methods. They can throw exceptions of the module. */
export abstract class ModuleCalls<
  Bindings extends { last_panic(): string } = { last_panic(): string },
> {
  protected readonly bindings: Bindings;
  /** Receives the events of a call. */
  onEvent: (event: Event) => void = () => {};

  constructor(bindings: Bindings) {
    this.bindings = bindings;
  }

  /** Frees the module's objects. */
  abstract close(): void;

  /**
   * Forgets the module's objects without freeing them: after a trap, objects that the call used
   * cannot be freed.
   */
  abstract abandon(): void;

  /** Calls an operation. */
  call<Name extends OperationName>(name: Name, args: Arguments<Name>): Value<Name> {
    const operations = this as unknown as Record<string, (...args: unknown[]) => Value<Name>>;
    const operation = operations[name];
    if (!operation) throw new UnsupportedError(`this module has no operation \`${name}\``);
    return operation.apply(this, args);
  }

  /** Converts an exception into an error for the caller's thread. */
  failure(thrown: unknown): WireError {
    return failureOf(this.bindings, thrown);
  }
}
