/** A worker with a laboratory. */
import { LaboratoryCalls } from "./laboratory-calls.js";
import { beginLaboratory } from "./laboratory-instance.js";
import { serve } from "./service.js";

serve({ begin: ({ module }) => new LaboratoryCalls(beginLaboratory(module)) });
