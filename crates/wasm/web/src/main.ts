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
mount(App, { target: document.getElementById("app")! });
serveOffline();

// The first press of "Solve" should wait for nothing, and nothing should wait for this.
void rules.then(() => whenIdle(prepareSolver));
// The browser's own command for printing waits for nothing that is fetched.
void rules.then(() => whenIdle(preparePaper));
whenIdle(followPlay);

/** Results and inspection: not needed before a board is solved. */
function followPlay(): void {
  import("./play/follow.svelte.ts").then(
    (play) => play.followPlay(),
    // The board can be played without.
    () => undefined,
  );
}

function prepareSolver(): void {
  import("./solver/cache.svelte.ts").then(
    ({ prepareWhenIdle }) => prepareWhenIdle(),
    // Whether it fails is seen when it is wanted.
    () => undefined,
  );
}

function preparePaper(): void {
  import("./paper/printing.ts").then(
    ({ preparePrinting }) => preparePrinting(),
    // Then the browser prints the page as it is on the screen.
    () => undefined,
  );
}
