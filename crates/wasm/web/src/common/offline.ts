import { text } from "../text/text.svelte.ts";
import { notices } from "./notice.svelte.ts";

/**
 * Registers the service worker, after everything that the first visit needs. A new version of the
 * page waits until the visitor wants it in one of the tabs, or until the page is opened anew. When
 * it takes over, the files of the old one are gone: all open tabs load the new one then.
 */
export function serveOffline(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  reloadWithVersion(navigator.serviceWorker, () => location.reload());
  if (document.readyState === "complete") setTimeout(() => void register(), 3000);
  else addEventListener("load", () => setTimeout(() => void register(), 3000));
}

/**
 * Calls `reload` once, when another version takes over from the one that serves this tab. The first
 * service worker of a tab without one takes over from none: it is of the tab's own version.
 */
export function reloadWithVersion(
  container: Pick<ServiceWorkerContainer, "controller" | "addEventListener">,
  reload: () => void,
): void {
  let isServed = container.controller !== null;
  let isReloading = false;
  container.addEventListener("controllerchange", () => {
    if (isServed && !isReloading) {
      isReloading = true;
      reload();
    }
    isServed = true;
  });
}

async function register(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker.register("./sw.js", { scope: "./" });
    complete();
    if (registration.waiting) offer(registration.waiting);
    registration.addEventListener("updatefound", () => {
      const worker = registration.installing;
      worker?.addEventListener("statechange", () => {
        if (worker.state === "installed" && navigator.serviceWorker.controller) offer(worker);
      });
    });
  } catch {
    // Private windows and some hosts have no service workers: the page works, but not offline.
  }
}

/** Milliseconds after which a visitor who came back may get what was not needed so far. */
const PATIENCE = 7000;

/** Lets the service worker fetch what this build still lacks offline, if the visitor came back. */
function complete(): void {
  const worker = navigator.serviceWorker.controller;
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (worker && !connection?.saveData) setTimeout(() => worker.postMessage("complete"), PATIENCE);
}

function offer(worker: ServiceWorker): void {
  notices.add({
    text: text.notices.newVersion,
    kind: "plain",
    action: {
      label: text.notices.useIt,
      run: () => {
        // A tab that was loaded past the service worker is served by none.
        const reload = () => location.reload();
        const { serviceWorker } = navigator;
        if (!serviceWorker.controller) {
          serviceWorker.addEventListener("controllerchange", reload, { once: true });
        }
        worker.postMessage("take over");
      },
    },
  });
}
