import { mount } from "svelte";
import "./app.css";
import App from "./App.svelte";
import { whenIdle } from "./common/browser.ts";
import { panel } from "./common/panel.svelte.ts";
import { loadRules, start } from "./game/session.svelte.ts";
import { startLanguage } from "./text/text.svelte.ts";
import { serveOffline } from "./common/offline.ts";

const language = startLanguage();
start(language);
panel.remember();
await language;
// Mounts the page in a new task: mounting it and evaluating the modules in one task would make that
// task the longest of a visit.
await new Promise((resolve) => setTimeout(resolve));
mount(App, { target: document.getElementById("app")! });
serveOffline();

// Loads parts of the page in advance, so that the first press of "Solve" does not wait for the
// solver, and the first solution does not wait for the formats of its numbers.
inAdvance(
  () => import("./solver/cache.svelte.ts"),
  ({ prepareWhenIdle }) => prepareWhenIdle(),
);
// Loads the code for printing early: the browser's print command does not wait for files to load.
inAdvance(
  () => import("./paper/printing.ts"),
  ({ preparePrinting }) => preparePrinting(),
);
// Dialogs that read boards and moves need the rules, the first solution does not.
setTimeout(() => whenIdle(() => void loadRules()), 3000);
// Loads the code of results and inspection, which is not needed before a board is solved.
inAdvance(
  () => import("./play/follow.svelte.ts"),
  ({ followPlay }) => followPlay(),
);
inAdvance(
  () => import("./common/format.ts"),
  ({ format }) => format(),
);

/**
 * Loads a module when the page is idle. A failure is ignored here: it is reported when the visitor
 * uses a function of the module.
 */
function inAdvance<Part>(load: () => Promise<Part>, use: (part: Part) => void): void {
  whenIdle(() => void load().then(use, () => undefined));
}
