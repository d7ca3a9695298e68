import { mount } from "svelte";
import "./app.css";
import App from "./App.svelte";
import { whenIdle } from "./common/idle.ts";
import { panel } from "./common/panel.svelte.ts";
import { start } from "./game/session.svelte.ts";
import { startLanguage } from "./text/text.svelte.ts";
import { serveOffline } from "./common/offline.ts";

const language = startLanguage();
const rules = start(language);
panel.remember();
await language;
// A new task: together with the evaluation of the modules it would be the longest task of a visit.
await new Promise((resolve) => setTimeout(resolve));
mount(App, { target: document.getElementById("app")! });
serveOffline();

// Loaded in advance without delaying anything, so that the first press of "Solve" does not wait.
void rules.then(() => whenIdle(prepareSolver));
// The browser's print command does not wait for files to load.
void rules.then(() => whenIdle(preparePaper));
whenIdle(followPlay);
// Otherwise the first solution would wait for the formats of its numbers.
whenIdle(prepareFormats);

/** Results and inspection, which are not needed before a board is solved. */
function followPlay(): void {
  import("./play/follow.svelte.ts").then(
    (play) => play.followPlay(),
    // The board can be played without them.
    () => undefined,
  );
}

function prepareFormats(): void {
  import("./common/format.ts").then(
    ({ format }) => format(),
    // An error appears where a number is written.
    () => undefined,
  );
}

function prepareSolver(): void {
  import("./solver/cache.svelte.ts").then(
    ({ prepareWhenIdle }) => prepareWhenIdle(),
    // An error appears when it is used.
    () => undefined,
  );
}

function preparePaper(): void {
  import("./paper/printing.ts").then(
    ({ preparePrinting }) => preparePrinting(),
    // Without it the browser prints the page as on the screen.
    () => undefined,
  );
}
