/** A worker with a solver, without helpers. */
import { ModuleCalls } from "./glue.js";
import { serve } from "./service.js";
import { beginSolver } from "./solver-instance.js";

serve({ begin: ({ module }) => new ModuleCalls(beginSolver(module), 1) });
