/** A worker with a laboratory. */
import { beginLaboratory } from "./laboratory-instance.js";
import { ModuleCalls } from "./glue.js";
import { serve } from "./service.js";

serve({ begin: ({ module }) => new ModuleCalls(beginLaboratory(module), 1) });
