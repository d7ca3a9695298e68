import { text } from "../text/text.svelte.ts";
import { notices } from "./notice.svelte.ts";

/** Milliseconds until the service worker starts: loading the page and solving come first. */
const REGISTER_AFTER = 1500;
/** Milliseconds from the start of the service worker until it stores the large files. */
const STORE_AFTER = 500;

/**
 * Registers the service worker after the first visit has loaded its files. A new version of the
 * page waits until the visitor accepts it in a tab, or opens the page again. When the new version
 * takes over, the old files are deleted, so all open tabs reload.
 */
export function serveOffline(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  reloadWithVersion(navigator.serviceWorker, () => location.reload());
  const later = () => setTimeout(() => void register(), REGISTER_AFTER);
  if (document.readyState === "complete") later();
  else addEventListener("load", later);
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
    void complete();
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

/**
 * Tells the service worker to store the laboratory and the solver of this visit, so that the page
 * is complete without a connection after one visit.
 */
async function complete(): Promise<void> {
  const { active } = await navigator.serviceWorker.ready;
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (connection?.saveData) return;
  setTimeout(() => {
    const used = performance.getEntriesByType("resource").map(({ name }) => name);
    active?.postMessage({ used });
  }, STORE_AFTER);
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
