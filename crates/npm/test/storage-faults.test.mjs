// Stored tables after faults: browsers and tabs killed while tables are stored, a full quota,
// damaged bytes. Faults happen at random moments. FAULT_SEED sets the seed of these moments;
// FAULT_ROUNDS sets the number of rounds per test.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { executable, flags } from "./find-chromium.mjs";
import { pack, packageDirectory, serve, sha256, sleep, temporaryDirectory } from "./support.mjs";

const board = "5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13";
const directory = temporaryDirectory();
const seed = Number(process.env.FAULT_SEED ?? Math.floor(Math.random() * 1e6));
const rounds = Number(process.env.FAULT_ROUNDS ?? 2);
/** SHA-256 of each packed table. */
const tables = [];
let server;

before(async () => {
  symlinkSync(packageDirectory, join(directory, "sliding-tile-pdb"));
  writeFileSync(
    join(directory, "empty.html"),
    '<!doctype html><title>Empty</title><link rel="icon" href="data:,">',
  );
  pack(join(directory, "6-6-3"), "--partition", "6-6-3");
  const manifest = JSON.parse(readFileSync(join(directory, "6-6-3/manifest.json"), "utf8"));
  tables.push(...manifest.tables.map(({ packed }) => packed.sha256));
  server = await serve(directory);
});
after(() => server?.close());

/** Random numbers from 0 to 1, determined by the seed and a name (mulberry32). */
function random(name) {
  let state = parseInt(sha256(`${seed} ${name}`).slice(0, 8), 16);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Process groups of the browsers. When this process ends, even on a timeout, it kills them. */
const running = new Set();
process.on("exit", () => running.forEach((id) => process.kill(-id, "SIGKILL")));
process.on("SIGTERM", () => process.exit(1));

let profiles = 0;
const newProfile = () => join(directory, `profile-${profiles++}`);

/**
 * Starts Chromium, and tries a second time if it does not respond. That sometimes happens with the
 * profile of a killed browser, whether or not tables are stored.
 */
async function start(profile) {
  for (let tries = 2; ; tries--) {
    try {
      return await startOnce(profile);
    } catch (error) {
      if (tries === 0 || error.name !== "TimeoutError") throw error;
    }
  }
}

/** Chromium as a separate process with a persistent profile. */
async function startOnce(profile) {
  const child = spawn(
    executable(),
    [...flags, "--headless=new", "--remote-debugging-port=0", `--user-data-dir=${profile}`],
    { stdio: ["ignore", "ignore", "pipe"], detached: true },
  );
  running.add(child.pid);
  child.once("exit", () => running.delete(child.pid));
  let said = "";
  child.stderr.setEncoding("utf8");
  const address = await new Promise((resolve, reject) => {
    child.stderr.on("data", (text) => {
      said += text;
      const found = /DevTools listening on (ws:\S+)/.exec(said);
      if (found) resolve(found[1]);
    });
    child.once("exit", () => reject(new Error(`Chromium ended: ${said}`)));
  });
  const end = async () => {
    const ended = once(child, "exit");
    process.kill(-child.pid, "SIGKILL");
    await ended;
  };
  const browser = await chromium
    .connectOverCDP(address, { timeout: 15_000 })
    .catch(async (error) => {
      await end();
      throw error;
    });
  const kill = async () => {
    await end();
    await browser.close().catch(() => {});
  };
  const open = async () => {
    const page = await browser.contexts()[0].newPage();
    await page.goto(server.url("empty.html").href);
    return page;
  };
  return { kill, open };
}

/** Loads and stores the tables, and solves a board. */
const solve = (page) =>
  page.evaluate(
    async ({ manifest, board }) => {
      const { createSolver } = await import("/sliding-tile-pdb/dist/index.js");
      const solver = await createSolver({ tables: new URL(manifest, location.href) });
      const { length } = await solver.solve(board);
      const { warnings } = solver;
      solver.close();
      return { length, warnings };
    },
    { manifest: "/6-6-3/manifest.json", board },
  );

/** The names and the SHA-256 sums of the stored tables, read without the package. */
const kept = (page) =>
  page.evaluate(async () => {
    const done = (request) =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const known = (await indexedDB.databases()).map(({ name }) => name);
    const nothing = { facts: [], bytes: [], sums: [] };
    if (!known.includes("sliding-tile-pdb")) return nothing;
    const opened = indexedDB.open("sliding-tile-pdb");
    // The browser may have been killed before it created the database. The abort prevents this call
    // from creating it.
    opened.onupgradeneeded = () => opened.transaction.abort();
    const database = await done(opened).catch(() => undefined);
    if (!database) return nothing;
    const stores = database.transaction(["facts", "bytes"]);
    const [facts, names, values] = await Promise.all([
      done(stores.objectStore("facts").getAllKeys()),
      done(stores.objectStore("bytes").getAllKeys()),
      done(stores.objectStore("bytes").getAll()),
    ]);
    database.close();
    const sums = [];
    for (const value of values) {
      const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", value));
      sums.push([...sum].map((byte) => byte.toString(16).padStart(2, "0")).join(""));
    }
    return { facts, bytes: names, sums };
  });

/** Checks that each stored table is complete, and that tables and metadata are stored in pairs. */
function assertWhole({ facts, bytes, sums }) {
  assert.deepEqual(facts, bytes, "facts without bytes, or bytes without facts");
  assert.deepEqual(sums, bytes, "bytes that are not those of their name");
  assert.ok(facts.every((name) => tables.includes(name)));
}

/** Checks that after any fault, an ordinary visit succeeds and stores all tables. */
async function assertWell(open) {
  const page = await open();
  const found = await solve(page);
  assert.deepEqual(found, { length: 55, warnings: [] });
  const now = await kept(page);
  assertWhole(now);
  assert.equal(now.facts.length, tables.length);
  await page.close();
}

test("a browser killed while it stores tables", async (t) => {
  const next = random("browser");
  let time = 0;
  for (let round = 0; round <= rounds; round++) {
    const profile = newProfile();
    let chromium = await start(profile);
    const page = await chromium.open();
    const begun = performance.now();
    const ended = solve(page).catch(() => "killed");
    // The first round measures the duration of an undisturbed visit.
    if (round === 0) {
      await ended;
      time = performance.now() - begun;
    } else {
      await sleep(next() * 1.2 * time);
      t.diagnostic(
        `seed ${seed}, round ${round}: killed after ${Math.round(performance.now() - begun)} ms of ` +
          `${Math.round(time)}`,
      );
    }
    await chromium.kill();
    await ended;
    chromium = await start(profile);
    try {
      const later = await chromium.open();
      const there = await kept(later);
      assertWhole(there);
      t.diagnostic(`kept: ${there.facts.length} of ${tables.length}`);
      await later.close();
      await assertWell(chromium.open);
    } finally {
      await chromium.kill();
    }
  }
});

test("tabs that crash or close while they store tables", async (t) => {
  const next = random("tab");
  for (let round = 1; round <= rounds; round++) {
    const chromium = await start(newProfile());
    try {
      const page = await chromium.open();
      const session = await page.context().newCDPSession(page);
      const begun = performance.now();
      const ended = solve(page).catch(() => "gone");
      await sleep(next() * 1500);
      const crashes = next() < 0.5;
      t.diagnostic(
        `seed ${seed}, round ${round}: ${crashes ? "crashed" : "closed"} after ` +
          `${Math.round(performance.now() - begun)} ms`,
      );
      // A crashed page cannot answer, so the answer is not awaited.
      if (crashes) session.send("Page.crash").catch(() => {});
      else await page.close();
      await Promise.race([ended, sleep(1000)]);
      const later = await chromium.open();
      assertWhole(await kept(later));
      await later.close();
      await assertWell(chromium.open);
    } finally {
      await chromium.kill();
    }
  }
});

test("an insufficient quota", async (t) => {
  const next = random("quota");
  const chromium = await start(newProfile());
  try {
    for (let round = 1; round <= rounds; round++) {
      const page = await chromium.open();
      const session = await page.context().newCDPSession(page);
      const { origin } = new URL(page.url());
      await session.send("Storage.clearDataForOrigin", { origin, storageTypes: "indexeddb" });
      // The first quota is too small for any table; the other quotas are large enough for some or
      // all tables.
      const quotaSize = round === 1 ? 1000 : Math.round(next() * 2e6);
      await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize });
      const found = await solve(page);
      const there = await kept(page);
      t.diagnostic(
        `seed ${seed}, round ${round}: ${quotaSize} bytes, kept ${there.facts.length}, ` +
          `${found.warnings.length} warnings`,
      );
      assert.equal(found.length, 55);
      assertWhole(there);
      if (there.facts.length < tables.length) {
        assert.equal(found.warnings.length, 1);
        assert.match(found.warnings[0], /full/);
      }
      if (round === 1) assert.ok(there.facts.length < tables.length, "the quota has no effect");
      await session.send("Storage.overrideQuotaForOrigin", { origin });
      await page.close();
      await assertWell(chromium.open);
    }
  } finally {
    await chromium.kill();
  }
});

test("damaged stored bytes", async (t) => {
  const next = random("damage");
  const chromium = await start(newProfile());
  try {
    await assertWell(chromium.open);
    const ways = ["flip", "cut", "empty", "text", "nothing", "swap", "no database"];
    for (const way of ways) {
      const page = await chromium.open();
      const place = Math.floor(next() * tables.length);
      const part = next();
      t.diagnostic(`seed ${seed}: ${way} of table ${place} at ${part.toFixed(3)}`);
      await page.evaluate(
        async ({ way, names, place, part }) => {
          const done = (request) =>
            new Promise((resolve, reject) => {
              request.onsuccess = () => resolve(request.result);
              request.onerror = () => reject(request.error);
            });
          if (way === "no database") {
            await done(indexedDB.deleteDatabase("sliding-tile-pdb"));
            return;
          }
          const database = await done(indexedDB.open("sliding-tile-pdb"));
          const transaction = database.transaction("bytes", "readwrite");
          const bytes = transaction.objectStore("bytes");
          const name = names[place];
          let value = await done(bytes.get(name));
          const at = Math.floor(part * value.byteLength);
          if (way === "flip") new Uint8Array(value)[at] ^= 1 << (at % 8);
          if (way === "cut") value = value.slice(0, at);
          if (way === "empty") value = new ArrayBuffer(0);
          if (way === "text") value = "table";
          if (way === "swap") value = await done(bytes.get(names[(place + 1) % names.length]));
          if (way === "nothing") bytes.delete(name);
          else bytes.put(value, name);
          await new Promise((resolve) => (transaction.oncomplete = resolve));
          database.close();
        },
        { way, names: tables, place, part },
      );
      await page.close();
      await assertWell(chromium.open);
    }
  } finally {
    await chromium.kill();
  }
});
