/** Calls of one solver or laboratory, one at a time, on threads that can end and be replaced. */
import { CancelledError, MemoryError, PuzzleError, cancelledBy } from "./error.js";
import type { Arguments, OperationName, Value } from "./protocol.js";
import type { CallTools, Thread } from "./thread.js";

/**
 * Milliseconds after which a cancelled call is rejected, even if its thread is still busy.
 */
const REJECT_AFTER = 35;
/** Milliseconds that a thread has to end a cancelled call. After that it is terminated. */
const GRACE = { flag: 5000, address: 5000, none: 200 };

/** Creates the threads of a channel. */
export interface Workshop {
  /** Creates a new thread. */
  open(): Promise<Thread>;
  /** Prepares a new thread for calls. Also called for each thread that replaces an ended one. */
  prepare(thread: Thread): Promise<unknown>;
}

interface Job {
  run(thread: Thread): Promise<void>;
  /** Rejects the call. A result that arrives afterwards is ignored. */
  reject(error: PuzzleError): void;
  isSettled: boolean;
  /** Timers that reject a cancelled job and terminate its thread. */
  timers: ReturnType<typeof setTimeout>[];
}

/** A queue of calls. A cancelled call that is waiting leaves the queue immediately. */
export class Channel {
  readonly #workshop: Workshop;
  readonly #jobs: Job[] = [];
  #thread: Thread | undefined;
  #running: Job | undefined;
  #threads = 1;
  #isClosed = false;

  constructor(workshop: Workshop, thread?: Thread) {
    this.#workshop = workshop;
    this.#thread = thread;
    this.#threads = thread?.threads ?? 1;
  }

  /** Whether `close` was called. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Number of threads of the current or the last worker. */
  get threads(): number {
    return this.#threads;
  }

  /** Queues a call. */
  call<Name extends OperationName>(
    name: Name,
    args: Arguments<Name>,
    { signal, onEvent }: CallTools = {},
  ): Promise<Value<Name>> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(new CancelledError("closed"));
      if (signal?.aborted) return reject(cancelledBy(signal));
      const settle = () => {
        job.isSettled = true;
        signal?.removeEventListener("abort", abort);
      };
      const job: Job = {
        isSettled: false,
        timers: [],
        reject: (error) => {
          if (job.isSettled) return;
          settle();
          reject(error);
        },
        run: async (thread) => {
          // The signal was aborted after the job had left the queue.
          if (signal?.aborted) throw cancelledBy(signal);
          const tools: CallTools = {
            signal,
            onEvent: (event) => {
              if (!job.isSettled && !signal?.aborted) onEvent?.(event);
            },
          };
          let value: Value<Name>;
          try {
            value = await thread.call(name, args, tools);
          } catch (error) {
            const report = error instanceof CancelledError ? error.report : undefined;
            throw signal?.aborted ? cancelledBy(signal, report) : error;
          }
          if (job.isSettled) return;
          if (signal?.aborted) throw cancelledBy(signal);
          settle();
          resolve(value);
        },
      };
      const abort = () => {
        const error = cancelledBy(signal);
        if (this.#running === job) {
          this.#end(job, error);
        } else {
          const index = this.#jobs.indexOf(job);
          if (index >= 0) this.#jobs.splice(index, 1);
          job.reject(error);
        }
      };
      signal?.addEventListener("abort", abort);
      this.#jobs.push(job);
      void this.#pump();
    });
  }

  /** Queues a question. */
  ask<T>(request: string, tools?: CallTools): Promise<T> {
    return this.call("ask", [request], tools) as Promise<T>;
  }

  /** Ends the thread and rejects all calls. */
  close(): void {
    this.#isClosed = true;
    const error = new CancelledError("closed");
    this.#running?.reject(error);
    for (const job of this.#jobs.splice(0)) job.reject(error);
    this.#thread?.terminate();
    this.#thread = undefined;
  }

  async #pump(): Promise<void> {
    if (this.#running) return;
    const job = this.#jobs.shift();
    if (!job) return;
    this.#running = job;
    try {
      const thread = await this.#ready();
      // The job may have been cancelled while the thread was being created.
      if (!job.isSettled) await job.run(thread);
    } catch (error) {
      job.reject(error instanceof PuzzleError ? error : unexpected(error));
    } finally {
      job.timers.forEach(clearTimeout);
      this.#running = undefined;
      void this.#pump();
    }
  }

  /** A thread that is ready for calls. */
  async #ready(): Promise<Thread> {
    if (this.#thread && !this.#thread.isDead) return this.#thread;
    this.#thread = undefined;
    const thread = await this.#workshop.open();
    try {
      await this.#workshop.prepare(thread);
    } catch (error) {
      thread.terminate();
      throw error;
    }
    if (this.#isClosed) {
      thread.terminate();
      throw new CancelledError("closed");
    }
    this.#thread = thread;
    this.#threads = thread.threads;
    return thread;
  }

  /** Requests the running job to end, and terminates its thread if the job does not end in time. */
  #end(job: Job, error: PuzzleError): void {
    const thread = this.#thread;
    if (!thread || thread.isDead) {
      // Only the job is rejected. Its thread is still being created, and the next job uses it.
      job.reject(error);
      return;
    }
    thread.cancel();
    const end = () => thread.terminate();
    job.timers.push(
      setTimeout(() => job.reject(error), REJECT_AFTER),
      setTimeout(end, GRACE[thread.way]),
    );
  }
}

/** Wraps an exception of the host in an error of this package. */
export function unexpected(error: unknown): PuzzleError {
  if (error instanceof PuzzleError) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof RangeError) return new MemoryError(message, { cause: error });
  return new PuzzleError(message, { cause: error });
}
