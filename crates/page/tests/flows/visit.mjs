// Successive visits: addresses, reloads, offline use, and browsers without some feature.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { serve } from "../chromium.mjs";
import { flow } from "../flow.mjs";
import { addressIs, answer, board, boardIs, button, choosePicture, fold, goTo } from "../page.mjs";
import { movesAre, notice, openPanel, press, solvable, solve } from "../page.mjs";
import { stage, strip } from "../page.mjs";
import { replay } from "../puzzle.mjs";
import { address, isSolvable, known as start, ordered, possible, read } from "../puzzle.mjs";

flow("a reload and a new visit restore the game", async ({ page, open }) => {
  await open(address(start, 4));
  await press(page, "URD");
  const now = replay(start, 4, "URD");
  await boardIs(page, now);
  await page.reload();
  await boardIs(page, now, "after a reload at once");
  await movesAre(page, 3);
  await button(stage(page), "Undo").click();
  await boardIs(page, replay(start, 4, "UR"));
  await addressIs(page, replay(start, 4, "UR"));

  // A reload can use the address from before the last move, if the browser has not yet stored the
  // new address. The page must show the board after the last move anyway.
  await press(page, "D");
  await addressIs(page, now);
  await page.goto("about:blank");
  await open(address(replay(start, 4, "UR"), 4));
  await boardIs(page, now, "after a reload with the address from before");
  await button(stage(page), "Undo").click();

  await page.goto("about:blank");
  await open();
  await boardIs(page, replay(start, 4, "UR"), "a new visit without a board in the address");
  await movesAre(page, 2);
  await open(address(ordered(9), 3));
  await boardIs(page, ordered(9), "a board in the address goes before");
});

flow("damaged addresses: a sentence, and a board to play", async ({ page, open }) => {
  for (const [hash, words] of [
    ["#4x4&board=1,2,3", /numbers from 0 to 15.*there are 3/],
    ["#900x900", /2x2 to 20x20/],
    ["#3x3&goal=0,0,0", /goal in the address is damaged/],
  ]) {
    await page.goto("about:blank");
    await open(hash);
    await notice(page, words).waitFor();
    const tiles = await board(page);
    const columns = Math.sqrt(tiles.length);
    assert.ok(isSolvable(tiles, ordered(tiles.length), columns), tiles.join());
    const [way] = possible(tiles, columns);
    await press(page, way);
    await boardIs(page, replay(tiles, columns, way), `playable after ${hash}`);
  }
  // The address is edited while the page is open.
  await goTo(page, "#2x2&board=3,1/2,0");
  await boardIs(page, read("3 1/2 0"));
  await goTo(page, "#2x2&board=3,1/2,9");
  await notice(page, /"9" is none of them/).waitFor();
  await boardIs(page, read("3 1/2 0"), "the board stays");
  // Makes two changes faster than the page writes the address.
  for (const text of ["1,2/3,0", "3,1/2,0"]) {
    await goTo(page, `#2x2&board=${text}`);
    await boardIs(page, read(text));
  }
});

flow("stored data may be damaged", async ({ page, context, open }) => {
  await context.addInitScript(() => {
    if (sessionStorage.getItem("damaged")) return;
    sessionStorage.setItem("damaged", "yes");
    localStorage.setItem("sliding-tile.game", '{"columns":4,"rows":"x","tiles":[1]}');
    localStorage.setItem("sliding-tile.settings", "{{{");
  });
  await open();
  await solvable(page);
  assert.equal((await board(page)).length, 16);
});

/** Waits until the service worker has stored the page, one solver and the laboratory. */
async function isStored(page) {
  const kept = () =>
    page.evaluate(async () => {
      const [name] = await caches.keys();
      const requests = name ? await (await caches.open(name)).keys() : [];
      return requests.map(({ url }) => url.split("/").at(-1));
    });
  const solvers = (files) => files.filter((file) => /^wasm-(threads-)?.{8}\.wasm$/.test(file));
  for (let tries = 0; ; tries++) {
    const files = await kept();
    const hasLaboratory = files.some((file) => file.startsWith("wasm-laboratory-"));
    if (hasLaboratory && solvers(files).length === 1) return;
    assert.ok(tries < 60, `stored: ${files.join(" ")}`);
    await page.waitForTimeout(250);
  }
}

const down = { allow: /ERR_|Failed to (load|fetch)|net::/ };
flow("the page is complete offline after one visit, threads and all", down, async (it) => {
  const { page, context, open } = it;
  const server = await serve();
  await open(address(start, 4), server.url);
  await solvable(page);
  await isStored(page);
  await server.close();
  await context.setOffline(true);
  await page.goto("about:blank");
  await open(address(start, 4), server.url);
  await boardIs(page, start);
  assert.match(await solve(page), /^55 moves: no solution is shorter\.$/);
  await openPanel(page, "Help");
  await choosePicture(page);
  assert.ok(await page.evaluate(() => crossOriginIsolated), "isolated by its service worker");
  const panel = await openPanel(page, "Laboratory");
  await button(panel, "Count nodes").click();
  await panel.getByText(/nodes · /).first().waitFor();
});

flow("offline after one visit to a plain host: no error", async ({ page, context, open }) => {
  const server = await serve({ isolated: false });
  await open(address(start, 4), server.url);
  await isStored(page);
  await context.setOffline(true);
  await page.goto("about:blank");
  await open(address(start, 4), server.url);
  assert.match(await solve(page), /^55 moves/);
  await server.close();
});

/** Opens the page on a host, solves, and returns the names of the solver modules loaded. */
async function modulesOf(page, open, host) {
  const server = await serve(host);
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  await open(address(start, 4), server.url);
  const isIsolated = await page.evaluate(() => crossOriginIsolated);
  assert.equal(isIsolated, host.isolated ?? true);
  assert.match(await solve(page), /^55 moves/);
  for (const panel of ["Help", "Laboratory"]) await openPanel(page, panel);
  await server.close();
  const isOwn = (each) => each.startsWith(server.url) || /^(blob|data):/.test(each);
  assert.deepEqual(asked.filter((each) => !isOwn(each)), [], "no other host is contacted");
  const names = asked.flatMap((each) => /(wasm|wasm-threads)-[^/]{8}\.wasm$/.exec(each)?.[1] ?? []);
  return [...new Set(names)];
}

for (const [isolated, solver] of [
  [true, "wasm-threads"],
  [false, "wasm"],
]) {
  flow(`a host with isolation (${isolated}) gets ${solver}`, async ({ page, open }) => {
    assert.deepEqual(await modulesOf(page, open, { isolated }), [solver]);
  });
}

/** The default build of scripts/serve-page.sh. */
const name = "a build without the module for several threads never asks for it";
flow(name, { timeout: 120_000 }, async ({ t, page, open }) => {
  const folder = mkdtempSync(join(tmpdir(), "page-threads-"));
  t.after(() => rmSync(folder, { recursive: true }));
  await build({
    root: fileURLToPath(new URL("../..", import.meta.url)),
    logLevel: "error",
    define: { __THREADS__: "false" },
    build: { outDir: folder },
  });
  assert.deepEqual(await modulesOf(page, open, { folder }), ["wasm"]);
});

flow("storage denied: nothing breaks", async ({ page, context, open }) => {
  await context.addInitScript(() => {
    const denied = () => {
      throw new DOMException("denied", "SecurityError");
    };
    for (const name of ["localStorage", "indexedDB", "caches"]) {
      Object.defineProperty(window, name, { get: denied, configurable: true });
    }
    Object.defineProperty(Navigator.prototype, "storage", { get: denied, configurable: true });
  });
  await open(address(start, 4));
  assert.match(await solve(page), /^55 moves/);
  await openPanel(page, "Laboratory");
  // Arrow keys do not move tiles until the panel is closed.
  await page.keyboard.press("Escape");
  await press(page, "U");
  await boardIs(page, replay(start, 4, "U"));
});

flow("storage full: the picture stays for this visit", async ({ page, context, open }) => {
  await context.addInitScript(() => {
    Storage.prototype.setItem = IDBObjectStore.prototype.put = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
  });
  await open(address(start, 4));
  await choosePicture(page);
  await notice(page, /storage is full or denied/).waitFor();
});

flow("no WebAssembly: said, and the board is played", async ({ page, context, open }) => {
  await context.addInitScript(() => delete window.WebAssembly);
  await open(address(replay(ordered(9), 3, "DR"), 3));
  await notice(page, /no WebAssembly/).waitFor();
  await press(page, "LU");
  await boardIs(page, ordered(9));
  await strip(page).getByText("Solved").waitFor();
  await button(page, "Shuffle").click();
  assert.ok(isSolvable(await board(page), ordered(9), 3));
  await openPanel(page, "Solve");
  await fold(page).locator(".status .bad, .status .plain").filter({ hasText: /.{15}/ }).waitFor();
});

const failed = { allow: /ERR_|Failed to (load|fetch)|net::|wasm/i };
flow("the solver does not arrive: said, and loaded again", failed, async ({ page, open }) => {
  // The service worker would store the files without these routes.
  await page.addInitScript(() => delete Navigator.prototype.serviceWorker);
  await page.route(/\.wasm/, (route) => route.abort());
  await open(address(start, 4));
  await notice(page, /solver could not be loaded/).waitFor();
  await press(page, "U");
  await boardIs(page, replay(start, 4, "U"));
  await page.unroute(/\.wasm/);
  await button(notice(page, /solver could not be loaded/), "Load again").click();
  await solvable(page);
  await openPanel(page, "Solve");
  const begin = button(fold(page), "Solve");
  // The search may already have failed; then the panel shows the button "Solve" again.
  await answer(page, 5000).catch(async () => {
    await begin.click();
    await answer(page);
  });
});
