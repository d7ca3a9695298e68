/** Instances of the modules, and their calls: in a worker, or on the caller's thread. */
import type { Bytes } from "./address.js";
import type { Event } from "./contract.js";
import { InputError, MemoryError, UnsupportedError, toWire, type WireError } from "./error.js";
import type { Arguments, OperationName, Operations, Value } from "./protocol.js";

/** The functions of a module. Only the modules with the solver have tables. */
export interface Bindings {
  Session: new (threads: number) => {
    call(request: string, onEvent?: (text: string) => void): string;
    add?(bytes: Uint8Array): string;
    table?(file: string): Uint8Array;
    free(): void;
  };
  sha256?(bytes: Uint8Array): string;
  memory_bytes(): number;
  last_panic(): string;
}

/** The functions of a module that create its instance. */
interface Starting {
  initSync(options: { module: WebAssembly.Module }): unknown;
  on_cancel?(check: () => boolean): void;
}

/** Long calls ask `isCancelled` whether to stop. Each thread sets its own function. */
export const poll = { isCancelled: (): boolean => false };

/** Creates an instance; throws a readable error if the module is the wrong one. */
export function link(name: string, make: () => unknown): void {
  try {
    make();
  } catch (cause) {
    if (cause instanceof RangeError) throw new MemoryError(cause.message, { cause });
    const isForeign = cause instanceof WebAssembly.LinkError || cause instanceof TypeError;
    if (!isForeign) throw new UnsupportedError((cause as Error).message, { cause });
    const message = `the module given is not \`${name}\` of this package and version`;
    throw new InputError(message, { cause });
  }
}

/**
 * Returns a function for this thread's only instance. The function's first call creates the
 * instance; later calls return the same instance. The check of the exports rejects foreign modules,
 * which link without an error if the bindings provide all of their imports: only the modules with
 * the solver can read tables.
 */
export function starter<Own extends Bindings & Starting>(
  name: string,
  bindings: Own,
  needed: string,
  foreign?: string,
) {
  let isBegun = false;
  return (module: WebAssembly.Module): Own => {
    if (isBegun) return bindings;
    link(name, () => {
      const exported = WebAssembly.Module.exports(module).map(({ name }) => name);
      const isOwn = exported.includes(needed) && !exported.includes(foreign ?? "");
      if (!isOwn) throw new TypeError(`no ${needed}`);
      bindings.initSync({ module });
    });
    bindings.on_cancel?.(() => poll.isCancelled());
    isBegun = true;
    return bindings;
  };
}

/** The error for an exception. A trap without a panic message means that memory ran out. */
export function failureOf(bindings: Bindings, thrown: unknown): WireError {
  const error = toWire(thrown);
  if (!(thrown instanceof WebAssembly.RuntimeError)) return error;
  const said = bindings.last_panic();
  if (said) return { ...error, message: said };
  return { ...error, code: "memory", message: `out of memory (${error.message})` };
}

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
