/** A worker with a solver, without helpers. */
import { serve } from "./service.js";
import { SolverCalls } from "./solver-calls.js";
import { beginSolver } from "./solver-instance.js";

serve({ begin: ({ module }) => new SolverCalls(beginSolver(module), 1) });
