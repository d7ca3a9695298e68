// The page in Debian's Firefox: node --test tests/firefox.mjs
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { constants, inflateSync } from "node:zlib";
import puppeteer from "puppeteer-core";
import { dist, serve } from "./chromium.mjs";
import { address, known, replay } from "./puzzle.mjs";

/** Time limit of quick actions in milliseconds, long enough for a busy machine. */
const TIMEOUT = 30_000;

/** Starts Firefox with a new profile, and closes it at the end of the test. */
async function launch(t) {
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: process.env.FIREFOX ?? "/usr/bin/firefox-esr",
    extraPrefsFirefox: { "ui.prefersReducedMotion": 1 },
  });
  t.after(() => browser.close());
  const page = await browser.newPage();
  const evaluate = (run, ...args) => page.evaluate(run, ...args);
  /** Polls a function in the page until its value is neither null, undefined nor false. */
  const until = async (description, run, ...args) => {
    for (const end = performance.now() + TIMEOUT; performance.now() < end; await sleep(50)) {
      // The call fails while the page is being replaced.
      const value = await evaluate(run, ...args).catch(() => null);
      if (value !== null && value !== undefined && value !== false) return value;
    }
    throw new Error(`after ${TIMEOUT / 1000} s not yet: ${description}`);
  };
  const isThere = () => document.querySelector('section[aria-label="Board"] [data-tile]') !== null;
  /** Presses the first enabled button with this label or text, preferably outside `nav`. */
  const press = (name) => {
    const isIt = (each) => (each.ariaLabel ?? each.textContent.trim()) === name && !each.disabled;
    const named = [...document.querySelectorAll("button")].filter(isIt);
    const found = named.find((each) => !each.closest("nav")) ?? named[0];
    found?.click();
    return found !== undefined;
  };
  const answer = () => {
    const said = document.querySelector("#panel .status")?.textContent ?? "";
    return /[\d,]+ moves?[:;,][^.]*\./.exec(said)?.[0];
  };
  return {
    evaluate,
    until,
    open: async (url) => {
      await page.goto("about:blank");
      await page.goto(url);
      await until("the board", isThere);
    },
    /** Prints to a PDF file, like the browser's print command. */
    print: async () => Buffer.from(await page.pdf({ format: "A4" })),
    press: (name) => until(`a button "${name}"`, press, name),
    answer: () => until("an answer", answer),
  };
}

/** Opens the known board after some moves, at a new address each time, and solves it. */
async function solveKnown(page, url, moves = "") {
  await page.open(url + address(replay(known, 4, moves), 4));
  await page.press("Solve");
  assert.match(await page.answer(), /^5[4-7] moves: no solution is shorter\.$/);
}

/** Chooses another size in the menu, and solves its board. */
async function solveSize(page, size) {
  const open = () => (document.querySelector('button[aria-label^="Size:"]').click(), true);
  await page.until("the menu of sizes", open);
  await page.press(size);
  await page.until(size, (size) => location.hash.startsWith(`#${size}&`), size);
  await page.press("Solve");
  await page.answer();
}

/** Checks colours of themes and magnified boards, which use the newest features of browsers. */
async function look(page, url) {
  await page.open(`${url}#20x20`);
  const background = (theme) =>
    page.evaluate((theme) => {
      localStorage.setItem("sliding-tile.settings", JSON.stringify({ theme }));
      dispatchEvent(new StorageEvent("storage"));
      return new Promise((resolve) =>
        requestAnimationFrame(() => resolve(getComputedStyle(document.body).backgroundColor)),
      );
    }, theme);
  assert.equal(await background("dark"), "rgb(22, 24, 27)");
  assert.equal(await background("light"), "rgb(245, 242, 236)");
  const before = await page.evaluate(() => {
    const view = document.querySelector(".stage .view");
    const { left, top, width } = view.getBoundingClientRect();
    const at = { clientX: left + width / 2, clientY: top + 50 };
    const options = { ...at, deltaY: -60, ctrlKey: true, bubbles: true, cancelable: true };
    const { clientWidth } = document.querySelector(".stage .tray");
    view.dispatchEvent(new WheelEvent("wheel", options));
    return clientWidth;
  });
  await page.until(
    "the board is magnified",
    (before) => document.querySelector(".stage .tray").clientWidth > before * 1.4,
    before,
  );
}

/** Checks that the solution is printed on one page; the whole document would need two pages. */
async function assertPrints(page) {
  const pdf = await page.print();
  // Page objects are in compressed streams; a stream of another kind cannot be inflated.
  const objects = [...pdf.toString("latin1").matchAll(/stream\r?\n/g)].map(({ index, 0: mark }) => {
    try {
      const options = { finishFlush: constants.Z_SYNC_FLUSH };
      return inflateSync(pdf.subarray(index + mark.length), options).toString("latin1");
    } catch {
      return "";
    }
  });
  const pages = [pdf.toString("latin1"), ...objects].join("\n").match(/\/Type\s*\/Page\b/g);
  assert.equal(pages?.length, 1);
  const count = (parts) => document.querySelectorAll(parts).length;
  const moves = await page.evaluate(count, ".paper-sheet p > span:not(.number)");
  const drawings = await page.evaluate(count, ".paper-sheet .drawing");
  assert.ok(moves >= 54 && drawings === 2 + Math.ceil(moves / 10), `${drawings}, ${moves} moves`);
}

/**
 * Slides a tile: checks that the board element is defined, has its style and accepts clicks. Later
 * steps must not open this board, since that would continue this game.
 */
async function slideTile(page, url) {
  await page.open(url + address(replay(known, 4, "D"), 4));
  const state = () => {
    const tile = document.querySelector('[data-tile="6"]');
    return [tile.getAttribute("aria-label"), getComputedStyle(tile).position].join();
  };
  assert.equal(await page.evaluate(state), "tile 6, row 2 column 3, can move left,absolute");
  await page.evaluate(() => document.querySelector('[data-tile="6"]').click());
  await page.until(
    "the tile slides",
    () => document.querySelector('[data-tile="6"][aria-label$="column 2, can move right"]') !== null,
  );
}

const isActive = () => navigator.serviceWorker.controller?.state === "activated";

const isIsolated = (page) => page.evaluate(() => crossOriginIsolated);

test("isolated host: first visit, reload, update, offline", { timeout: 300_000 }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "page-dist-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(dist, folder, { recursive: true });
  const server = await serve({ folder });
  const page = await launch(t);
  await solveKnown(page, server.url);
  assert.equal(await isIsolated(page), true);
  // The service worker is registered 3 s after loading.
  await sleep(5000);
  await solveSize(page, "3x3");
  await page.until("the service worker is active", isActive);
  await solveKnown(page, server.url, "U");
  assert.equal(await isIsolated(page), true);

  const worker = readFileSync(join(folder, "sw.js"), "utf8");
  const changed = worker.replace(/version = "[0-9a-f]{16}"/, 'version = "0123456789abcdef"');
  assert.notEqual(changed, worker, "another version");
  writeFileSync(join(folder, "sw.js"), changed);
  await page.evaluate(() => {
    window.isOld = true;
    void navigator.serviceWorker.getRegistration().then((registration) => registration.update());
  });
  await page.press("Use it");
  await page.until("the page is loaded anew", () => window.isOld !== true);
  await page.until("the new service worker is active", isActive);
  const caches = await page.until("the old files are gone", () =>
    self.caches.keys().then((names) => names.length === 1 && names[0]),
  );
  assert.match(caches, /0123456789abcdef$/);
  await solveSize(page, "5x5");

  await server.close();
  await solveKnown(page, server.url, "R");
  assert.equal(await isIsolated(page), true);
});

test("plain host: first visit, a visit by the service worker", { timeout: 200_000 }, async (t) => {
  const server = await serve({ isolated: false });
  t.after(() => server.close());
  const page = await launch(t);
  await slideTile(page, server.url);
  await solveKnown(page, server.url);
  assert.equal(await isIsolated(page), false);
  await sleep(5000);
  await assertPrints(page);
  await solveSize(page, "3x3");
  await page.until("the service worker is active", isActive);
  await solveKnown(page, server.url, "U");
  assert.equal(await isIsolated(page), true);

  // Moves of a link can be played; Back and Undo restore the game before a shuffle.
  await page.open(`${server.url}${address(known, 4)}&moves=D2`);
  const showsMoves = () =>
    /The link has 2 moves/.test(document.querySelector("#panel").textContent);
  await page.until("the moves of the link", showsMoves);
  await page.press("Play");
  const hasMoves = (number) => document.querySelector(".count b").textContent === number;
  await page.until("two moves are made", hasMoves, "2");
  for (const takeBack of [() => page.evaluate(() => history.back()), () => page.press("Undo")]) {
    await page.press("Shuffle");
    await page.until("a new board", hasMoves, "0");
    await takeBack();
    await page.until("the game is back", hasMoves, "2");
  }
  await look(page, server.url);
});
