/** Calls of a WebAssembly module: in a worker, or on the caller's thread. */
import type { Bytes } from "./address.js";
import type { Event } from "./contract.js";
import type { WireError } from "./error.js";
import { failureOf, type Bindings } from "./glue.js";
import type { Arguments, OperationName, Operations, Value } from "./protocol.js";

/** The calls of one instance. They can throw exceptions of the module. */
export class ModuleCalls implements Operations {
  readonly #bindings: Bindings;
  #session: InstanceType<Bindings["Session"]>;
  /** Receives the events of a call. */
  onEvent: (event: Event) => void = () => {};

  /** `threads`: the number of threads that searches can use. */
  constructor(bindings: Bindings, threads: number) {
    this.#bindings = bindings;
    this.#session = new bindings.Session(threads);
  }

  /** Calls an operation. */
  call<Name extends OperationName>(name: Name, args: Arguments<Name>): Value<Name> {
    const operation = this[name] as (...args: unknown[]) => Value<Name>;
    return operation.apply(this, args);
  }

  ask(request: string): unknown {
    const listener = (text: string) => this.onEvent(JSON.parse(text) as Event);
    return JSON.parse(this.#session.call(request, listener));
  }

  add(bytes: Bytes): string {
    return this.#session.add!(bytes);
  }

  table(file: string): Bytes {
    return this.#session.table!(file) as Bytes;
  }

  sha256(bytes: Bytes): string {
    return this.#bindings.sha256!(bytes);
  }

  memory(): number {
    return this.#bindings.memory_bytes();
  }

  /** Frees the tables. Not possible after a trap. */
  close(): void {
    this.#session.free();
  }

  /** Converts an exception into an error for the caller's thread. */
  failure(thrown: unknown): WireError {
    return failureOf(this.#bindings, thrown);
  }
}
