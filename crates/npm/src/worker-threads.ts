/** Workers with shared memory: one worker handles the calls, and the other workers help it. */
import * as bindings from "../wasm-threads/sliding_tile_pdb.js";
import { ModuleCalls, failureOf, link, poll } from "./glue.js";
import { serve } from "./service.js";

/** Creates this worker's instance. The instances of all workers share one memory. */
function begin(module: WebAssembly.Module, memory: WebAssembly.Memory | undefined): void {
  link("wasm-threads", () => {
    if (!memory) throw new TypeError("no memory was given");
    bindings.initSync({ module, memory });
  });
  bindings.on_cancel(() => poll.isCancelled());
}

serve({
  begin({ module, memory }) {
    begin(module, memory);
    return undefined;
  },

  gather(helpers) {
    bindings.start_threads(helpers);
    return new ModuleCalls(bindings, helpers + 1);
  },

  help(module, memory, isReady) {
    begin(module, memory);
    isReady();
    bindings.work();
  },

  failure: (thrown) => failureOf(bindings, thrown),
});
