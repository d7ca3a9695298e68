// The service worker stores the files of one build and answers requests with them. It adds the
// headers that the page needs to use threads, since some hosts do not send these headers. The build
// writes the constants.
const version = "__VERSION__";
/** @type {string[]} Addresses relative to the page, "" for the page itself. */
const files = __FILES__;
/** @type {string[]} Large files, which are stored when they are used or when the page is idle. */
const rareFiles = __RARE__;

const prefix = `sliding-tile-page ${self.registration.scope} `;
const cacheName = prefix + version;
const address = (file) => new URL(file, self.registration.scope).href;
const addresses = new Set([...files, ...rareFiles].map(address));

self.addEventListener("install", (event) => event.waitUntil(keep()));

/** Stores all files of the build. If a file is missing, the build is not installed. */
async function keep() {
  const cache = await caches.open(cacheName);
  await Promise.all(
    files.map(async (file) => {
      // Files with a hash in their name never change: the browser's copy suffices.
      const isFixed = file.startsWith("assets/");
      const request = new Request(address(file), {
        cache: isFixed ? "default" : "no-cache",
      });
      const response = await fetch(request);
      if (!response.ok) throw new Error(`${file}: status ${response.status}`);
      await cache.put(request, response);
    }),
  );
}

/** Stores the laboratory and the solver that the page uses; failures are ignored. */
async function keepRare(used) {
  const cache = await caches.open(cacheName);
  const wanted = rareFiles
    .filter((file) => file.includes("laboratory") || used.includes(address(file)))
    .map(address);
  await Promise.all(
    wanted.map(async (file) => {
      try {
        if (await cache.match(file)) return;
        const response = await fetch(file);
        if (response.status === 200) await cache.put(file, response);
      } catch {
        // The file is not available, or there is no room for it.
      }
    }),
  );
}

self.addEventListener("activate", (event) => event.waitUntil(takeOver()));

async function takeOver() {
  for (const name of await caches.keys()) {
    if (name.startsWith(prefix) && name !== cacheName) await caches.delete(name);
  }
  // The promise is not awaited: in Firefox it stays pending while a page's worker waits in
  // `Atomics.wait`, and every fetch of the page waits for this worker to become active.
  void self.clients.claim();
}

self.addEventListener("message", (event) => {
  if (event.data === "take over") void self.skipWaiting();
  if (event.data?.used) event.waitUntil(keepRare(event.data.used));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || request.headers.has("range")) return;
  if (url.origin !== self.location.origin) return;
  url.hash = url.search = "";
  if (url.href === address("index.html")) url.href = address("");
  if (addresses.has(url.href)) event.respondWith(answer(request, url.href));
});

/** The solver for several threads, which cross-origin isolated pages use. */
const threads = rareFiles.find((file) => /\/wasm-threads-[^/]*\.wasm$/.test(file));

async function answer(request, href) {
  const cache = await caches.open(cacheName);
  const kept = await cache.match(href, { ignoreVary: true });
  if (kept) {
    // Without a connection, the solver for several threads may be missing. The page then uses the
    // solver for one thread.
    const isPage = request.mode === "navigate";
    const lacksThreads =
      isPage && !navigator.onLine && threads && !(await cache.match(address(threads)));
    return lacksThreads ? kept : isolated(kept);
  }
  const response = await fetch(request);
  // Storage may be full; the response is returned anyway.
  if (response.status === 200) await cache.put(href, response.clone()).catch(() => undefined);
  return isolated(response);
}

/** A copy of the response with the headers of cross-origin isolation. */
function isolated(response) {
  if (!response.ok || response.type === "opaque") return response;
  const headers = new Headers(response.headers);
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  headers.set("Cross-Origin-Embedder-Policy", "require-corp");
  headers.set("Cross-Origin-Resource-Policy", "same-origin");
  return new Response(response.body, {
    status: response.status,
    statusText: response.statusText,
    headers,
  });
}
