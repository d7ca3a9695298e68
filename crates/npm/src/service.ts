/**
 * The worker's connection to its caller, in a web worker or a Node thread. The caller ensures that
 * only one call runs at a time.
 */
import { toWire } from "./error.js";
import { poll as asked, type ModuleCalls } from "./glue.js";
import { nodeModule } from "./host.js";
import { AddressPoll, FlagPoll, NoPoll, type Poll } from "./poll.js";
import type { Arguments, Begin, Call, FromWorker, Help, ToWorker } from "./protocol.js";

/** The parts of a web worker's scope that are used. */
interface Scope {
  WorkerGlobalScope?: unknown;
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
}

const scope = globalThis as unknown as Scope;
const port =
  scope.WorkerGlobalScope === undefined ? nodeModule("node:worker_threads")?.parentPort : undefined;

function post(message: FromWorker, transfer: ArrayBuffer[] = []): void {
  if (port) port.postMessage(message, transfer);
  else scope.postMessage(message, transfer);
}

/** Parts that differ between kinds of workers. An exception ends the worker. */
export interface Service {
  /** Returns the module's calls, or `undefined` if helpers must join first. */
  begin(message: Begin): ModuleCalls | undefined;
  /** Returns the module's calls. Called when all helpers have joined; `helpers` is their number. */
  gather?(helpers: number): ModuleCalls;
  /** Turns this worker into a helper: reports that it is ready, and does not return. */
  help?(module: WebAssembly.Module, memory: WebAssembly.Memory, isReady: () => void): void;
  /** Converts an exception into an error for the caller's thread. */
  failure?(thrown: unknown): ReturnType<typeof toWire>;
}

/** Serves the requests of the caller's thread from now on. */
export function serve(service: Service): void {
  let calls: ModuleCalls | undefined;
  let poll: Poll = new NoPoll();

  function start(begun: ModuleCalls | undefined): void {
    calls = begun;
    if (calls) post({ type: "ready", way: poll.way });
  }

  function begin(message: Begin): void {
    const { flag, address } = message;
    const begun = service.begin(message);
    if (flag) poll = new FlagPoll(flag);
    else if (address !== undefined && AddressPoll.works(address)) poll = new AddressPoll(address);
    asked.isCancelled = () => poll.isCancelled();
    start(begun);
  }

  function help({ module, memory, flag }: Help): void {
    const helped = new FlagPoll(flag);
    asked.isCancelled = () => helped.isCancelled();
    service.help?.(module, memory, () => post({ type: "helping" }));
  }

  function answer({ id, name, args, address }: Call): void {
    if (!calls) throw new Error("the worker was not begun");
    calls.onEvent = (event) => post({ type: "event", id, event });
    poll.begin(id, address);
    const value = calls.call(name, args as Arguments<typeof name>);
    post(
      { type: "value", id, value },
      value instanceof Uint8Array ? [value.buffer as ArrayBuffer] : [],
    );
  }

  function receive(message: ToWorker): void {
    if (message.type === "call") {
      try {
        answer(message);
      } catch (thrown) {
        post({ type: "error", id: message.id, error: calls?.failure(thrown) ?? toWire(thrown) });
      }
      return;
    }
    try {
      if (message.type === "begin") begin(message);
      else if (message.type === "gather") start(service.gather?.(message.helpers));
      else help(message);
    } catch (thrown) {
      post({ type: "failed", error: service.failure?.(thrown) ?? toWire(thrown) });
    }
  }

  if (port) port.on("message", (message) => receive(message as ToWorker));
  else scope.onmessage = ({ data }) => receive(data);
}
