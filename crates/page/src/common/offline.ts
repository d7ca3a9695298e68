import { text } from "../text/text.svelte.ts";
import { notices } from "./notice.svelte.ts";

/**
 * Registers the service worker after the first visit has loaded its files. A new version of the
 * page waits until the visitor accepts it in a tab, or opens the page again. When the new version
 * takes over, the old files are deleted, so all open tabs reload.
 */
export function serveOffline(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  reloadWithVersion(navigator.serviceWorker, () => location.reload());
  if (document.readyState === "complete") setTimeout(() => void register(), 3000);
  else addEventListener("load", () => setTimeout(() => void register(), 3000));
}

/**
 * Calls `reload` once, when the service worker of this tab is replaced by another version. If the
 * tab was loaded without a service worker, the first one has the same version as the page and
 * causes no reload.
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
    // Private windows and some hosts do not support service workers: the page then works online
    // only.
  }
}

/** Milliseconds from the registration of the service worker until it loads the remaining files. */
const LOAD_AFTER = 7000;

/**
 * For returning visitors, tells the service worker to load the files that are not stored yet.
 */
function complete(): void {
  const worker = navigator.serviceWorker.controller;
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (worker && !connection?.saveData) setTimeout(() => worker.postMessage("complete"), LOAD_AFTER);
}

function offer(worker: ServiceWorker): void {
  notices.add({
    text: text.notices.newVersion,
    kind: "plain",
    action: {
      label: text.notices.useIt,
      run: () => {
        // A tab that was loaded without the service worker has no controller yet.
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
