/** The worker: of the web's kind, or a thread of Node. One call at a time, as the caller sees to. */
import { Engine } from "./engine.js";
import { toWire } from "./error.js";
import { begin, poll as asked } from "./glue.js";
import { nodeModule } from "./host.js";
import { AddressPoll, FlagPoll, NoPoll, type Poll } from "./poll.js";
import type { Begin, Call, FromWorker, Operations, ToWorker } from "./protocol.js";

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

let engine: Engine | undefined;
let poll: Poll = new NoPoll();

function start({ module, flag, address }: Begin): void {
  const bindings = begin(module);
  if (flag) poll = new FlagPoll(flag);
  else if (address !== undefined && AddressPoll.works(address)) poll = new AddressPoll(address);
  asked.isCancelled = () => poll.isCancelled();
  engine = new Engine(bindings);
  post({ type: "ready", way: poll.way });
}

function answer({ id, name, args, address }: Call): void {
  if (!engine) throw new Error("the worker was not begun");
  engine.onEvent = (event) => post({ type: "event", id, event });
  poll.begin(id, address);
  const work = engine[name].bind(engine) as (
    ...args: unknown[]
  ) => ReturnType<Operations[typeof name]>;
  const value = work(...args);
  post({ type: "value", id, value }, value instanceof Uint8Array ? [value.buffer] : []);
}

function receive(message: ToWorker): void {
  if (message.type === "begin") {
    try {
      start(message);
    } catch (thrown) {
      post({ type: "failed", error: toWire(thrown) });
    }
    return;
  }
  try {
    answer(message);
  } catch (thrown) {
    post({ type: "error", id: message.id, error: engine?.failure(thrown) ?? toWire(thrown) });
  }
}

if (port) port.on("message", (message) => receive(message as ToWorker));
else scope.onmessage = ({ data }) => receive(data);
