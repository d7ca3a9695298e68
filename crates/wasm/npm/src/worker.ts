/** The worker that works alone. */
import { Engine } from "./engine.js";
import { serve } from "./service.js";
import { beginWhole } from "./whole.js";

serve({ begin: ({ module }) => new Engine(beginWhole(module), 1) });
