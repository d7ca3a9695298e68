/** Calls of a laboratory in WebAssembly. */
import type { Laboratory } from "../wasm-laboratory/sliding_tile_pdb.js";
import type { LaboratoryBindings } from "./glue.js";
import { ModuleCalls } from "./module-calls.js";
import type { LaboratoryOperations, Request } from "./protocol.js";
import type { ComparisonRecord, Explanation, LaboratoryProgress, Plot } from "./types.js";

/** The calls of one laboratory. */
export class LaboratoryCalls
  extends ModuleCalls<LaboratoryBindings>
  implements LaboratoryOperations
{
  #lab: Laboratory | undefined;

  heuristics(size: string): string[] {
    return JSON.parse(this.#laboratory().heuristics(size)) as string[];
  }

  explain(request: Request): Explanation[] {
    return JSON.parse(this.#laboratory().explain(JSON.stringify(request))) as Explanation[];
  }

  compare(request: Request): ComparisonRecord[] {
    const text = this.#laboratory().compare(JSON.stringify(request), (text: string) => {
      const event = JSON.parse(text) as LaboratoryEvent;
      if ("progress" in event) this.onEvent({ type: "laboratory", ...event });
      else this.onEvent({ type: "record", ...event });
    });
    return JSON.parse(text) as ComparisonRecord[];
  }

  plots(request: Request): Plot[] {
    return JSON.parse(this.#laboratory().plots(JSON.stringify(request))) as Plot[];
  }

  close(): void {
    this.#lab?.free();
    this.abandon();
  }

  abandon(): void {
    this.#lab = undefined;
  }

  #laboratory(): Laboratory {
    return (this.#lab ??= new this.bindings.Laboratory());
  }
}

type LaboratoryEvent =
  { record: ComparisonRecord; finished: number; runs: number } | { progress: LaboratoryProgress };
