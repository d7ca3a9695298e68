/** A worker without helpers. */
import { ModuleCalls } from "./module-calls.js";
import { serve } from "./service.js";
import { beginWhole } from "./whole.js";

serve({ begin: ({ module }) => new ModuleCalls(beginWhole(module), 1) });
