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
import { address, read, replay } from "./puzzle.mjs";

const known = read("5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13");
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
  return pageOf(await browser.newPage());
}

/** Polls `attempt` until its value is neither null, undefined nor false. */
async function until(description, attempt, limit = TIMEOUT) {
  const end = performance.now() + limit;
  for (;;) {
    const value = await attempt();
    if (value !== null && value !== undefined && value !== false) return value;
    if (performance.now() > end) throw new Error(`after ${limit / 1000} s not yet: ${description}`);
    await sleep(50);
  }
}

function pageOf(page) {
  /** The value of a function in the page; `null` while the page is being replaced. */
  const evaluate = (run, ...args) => page.evaluate(run, ...args);
  const attempt = (run, ...args) => evaluate(run, ...args).catch(() => null);
  const boardIsThere = () =>
    until("the board", () =>
      attempt(() => document.querySelector('section[aria-label="Board"] [data-tile]') !== null),
    );
  return {
    evaluate,
    until: (description, run, ...args) => until(description, () => attempt(run, ...args)),
    open: async (url) => {
      await page.goto("about:blank");
      await page.goto(url);
      await boardIsThere();
    },
    reload: async () => {
      await page.reload();
      await boardIsThere();
    },
    boardIsThere,
    /** Prints to a PDF file, like the browser's print command. */
    print: async () => Buffer.from(await page.pdf({ format: "A4" })),
    /** Presses the first enabled button with this label or text, preferably outside `nav`. */
    press: (name) =>
      until(`a button "${name}"`, () =>
        attempt((name) => {
          const isIt = (each) => (each.ariaLabel ?? each.textContent.trim()) === name;
          const all = [...document.querySelectorAll("button")];
          const named = all.filter((each) => isIt(each) && !each.disabled);
          const found = named.find((each) => !each.closest("nav")) ?? named[0];
          found?.click();
          return found !== undefined;
        }, name),
      ),
    answer: () =>
      until("an answer", () =>
        attempt(
          () =>
            /[\d,]+ moves?[:;,][^.]*\./.exec(
              document.querySelector("#panel .status")?.textContent ?? "",
            )?.[0],
        ),
      ),
  };
}

/** Opens the known board after some moves, at a new address each time, and solves it. */
async function solveKnown(page, url, moves = "") {
  await page.open(url + address(replay(known, 4, moves), 4));
  await page.press("Solve");
  assert.match(await page.answer(), /^5[4-7] moves: no solution is shorter\.$/);
}

/** Chooses another size in the menu; returns the milliseconds until the solver searches or answers. */
async function timeOfSize(page, size) {
  await page.evaluate(() => document.querySelector('button[aria-label^="Size:"]').click());
  await page.press(size);
  const began = performance.now();
  await page.press("Solve");
  await page.until(
    `${size} is searched`,
    (size) => {
      const says = document.querySelector("#panel .status")?.textContent ?? "";
      const isThis = location.hash.startsWith(`#${size}&`);
      return isThis && (/\d[\d,]* moves?[:;,]/.test(says) || /Best\s*\d/.test(says));
    },
    size,
  );
  return Math.round(performance.now() - began);
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

/** The number of pages of a PDF file whose page objects are in compressed streams. */
function pageCount(pdf) {
  const text = pdf.toString("latin1");
  const objects = [...text.matchAll(/stream\r?\n/g)].map(({ index, 0: mark }) => {
    try {
      const options = { finishFlush: constants.Z_SYNC_FLUSH };
      return inflateSync(pdf.subarray(index + mark.length), options).toString("latin1");
    } catch {
      return ""; // A stream of another kind, such as a JPEG picture.
    }
  });
  return [text, ...objects].join("\n").match(/\/Type\s*\/Page\b/g)?.length ?? 0;
}

/** Checks that the solution is printed on one page; the whole document would need two pages. */
async function assertPrints(page) {
  assert.equal(pageCount(await page.print()), 1);
  const { number, moves } = await page.evaluate(() => ({
    number: document.querySelectorAll(".paper-sheet .drawing").length,
    moves: document.querySelectorAll(".paper-sheet p > span:not(.number)").length,
  }));
  assert.ok(
    moves >= 54 && number === 2 + Math.ceil(moves / 10),
    `${number} drawings, ${moves} moves`,
  );
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

test("isolated host: first visit, reload, update, offline", { timeout: 300_000 }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "page-dist-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(dist, folder, { recursive: true });
  const server = await serve({ folder });
  const page = await launch(t);

  await solveKnown(page, server.url);
  assert.equal(await page.evaluate(() => crossOriginIsolated), true);
  // The service worker is registered 3 s after loading.
  await sleep(5000);
  t.diagnostic(`first visit: 5x5 after ${await timeOfSize(page, "5x5")} ms`);
  await page.until("the service worker is active", isActive);

  const began = performance.now();
  await page.reload();
  t.diagnostic(`reload: ${Math.round(performance.now() - began)} ms`);
  assert.equal(await page.evaluate(() => crossOriginIsolated), true);
  await solveKnown(page, server.url, "U");

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
  await page.boardIsThere();
  await page.until("the new service worker is active", isActive);
  const caches = await page.until("the old files are gone", () =>
    self.caches.keys().then((names) => names.length === 1 && names[0]),
  );
  assert.match(caches, /0123456789abcdef$/);
  t.diagnostic(`after the update: 6x6 after ${await timeOfSize(page, "6x6")} ms`);

  await server.close();
  await solveKnown(page, server.url, "R");
  assert.equal(await page.evaluate(() => crossOriginIsolated), true);
});

test("plain host: first visit, a visit by the service worker", { timeout: 200_000 }, async (t) => {
  const server = await serve({ isolated: false });
  t.after(() => server.close());
  const page = await launch(t);
  await slideTile(page, server.url);
  await solveKnown(page, server.url);
  assert.equal(await page.evaluate(() => crossOriginIsolated), false);
  await sleep(5000);
  await assertPrints(page);
  t.diagnostic(`first visit: 5x5 after ${await timeOfSize(page, "5x5")} ms`);
  await page.until("the service worker is active", isActive);
  await solveKnown(page, server.url, "U");
  assert.equal(await page.evaluate(() => crossOriginIsolated), true);
  t.diagnostic(`second visit: 5x5 after ${await timeOfSize(page, "5x5")} ms`);

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
