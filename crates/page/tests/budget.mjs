// Measures the page and the package, and compares the figures with their limits:
// node tests/budget.mjs [--out FILE]
//
// Build the page first. The repository's `pdb-gen`, or the program whose path is PDB_GEN, packs the
// tables. Writes docs/results/page.json of the repository, or FILE; exits with 1 if a limit is
// exceeded. Figures are valid only for an idle machine.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, realpathSync } from "node:fs";
import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { cpus, loadavg, release, tmpdir, totalmem } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { brotliCompressSync } from "node:zlib";
import { dist, launch, serve } from "./chromium.mjs";
import { solvable } from "./page.mjs";
import { address, hard, ordered, random, read, replay, write } from "./puzzle.mjs";

const repository = fileURLToPath(new URL("../../..", import.meta.url));
const { values } = parseArgs({
  options: {
    out: { type: "string", default: join(repository, "docs/results/page.json") },
    boards: { type: "string", default: "1000" },
  },
});
const boards = Number(values.boards);
const scratch = mkdtempSync(join(tmpdir(), "budget-"));
const rows = [];

/** Records and prints a figure, which must be at most `bar`. */
function record(name, command, unit, figure, bar, more = {}) {
  rows.push({ name, command, unit, figure: Number(figure.toFixed(2)), bar, ...more });
  const verdict = bar === null ? "" : figure <= bar ? "ok" : "MISSED";
  console.log(
    `${name.padEnd(62)} ${figure.toFixed(1).padStart(9)} ${unit.padEnd(3)} ` +
      `${bar === null ? "" : `<= ${bar}`.padEnd(9)} ${verdict}`,
  );
}

const short = (numbers) => numbers.map((each) => Number(each.toFixed(2)));

/** Records the largest of the figures, and all of them. */
const recordWorst = (name, command, unit, figures, bar, more = {}) =>
  record(name, command, unit, Math.max(...figures), bar, { runs: short(figures), ...more });

// --- Machine and statistics ---------------------------------------------------------------------

/** Machine, commit, date and load. */
function circumstances(chromium) {
  const system = /^PRETTY_NAME="?([^"\n]*)/m.exec(readFileSync("/etc/os-release", "utf8"))?.[1];
  const commit = ["rev-parse", "--short", "HEAD"];
  return {
    machine: {
      cpu: cpus()[0].model,
      cores: cpus().length,
      memory_gib: Number((totalmem() / 2 ** 30).toFixed(1)),
      os: `Linux ${release()}, ${system ?? "unknown"}`,
      node: process.version.slice(1),
      chromium,
      virtual: /hypervisor/.test(readFileSync("/proc/cpuinfo", "utf8")),
    },
    commit: execFileSync("git", commit, { encoding: "utf8", cwd: repository }).trim(),
    date: new Date().toISOString().slice(0, 16).replace("T", " "),
    load: Number(loadavg()[0].toFixed(2)),
  };
}

/** Mean, median, 99th percentile, worst and total. */
function statistics(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const total = sorted.reduce((sum, each) => sum + each, 0);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)];
  const short = (value) => Number(value.toFixed(3));
  return {
    mean: short(total / sorted.length),
    median: short(at(0.5)),
    p99: short(at(0.99)),
    worst: short(sorted.at(-1)),
    total: short(total),
  };
}

// --- The package --------------------------------------------------------------------------------

const tiles = Array.from({ length: boards }, (_, i) => random(4, 4, i + 1));

/** Packs the tables of a partition; returns the files, without the manifest. */
function pack(partition) {
  const out = join(scratch, partition);
  const built = join(repository, "target/release/pdb-gen");
  const program = process.env.PDB_GEN ?? (existsSync(built) ? built : undefined);
  const cargo = ["run", "--quiet", "--locked", "--release", "--bin", "pdb-gen", "--"];
  const parts = ["pack", "--partition", partition, "--tables", join(scratch, "tables")];
  const all = [...(program ? [] : cargo), ...parts, "--out", out, "--quiet"];
  execFileSync(program ?? "cargo", all, { cwd: repository, stdio: "inherit" });
  const names = readdirSync(out).filter((name) => name.endsWith(".pdbz"));
  return names.map((name) => join(partition, name));
}

function inNode(task) {
  const script = fileURLToPath(new URL("measure.mjs", import.meta.url));
  const input = JSON.stringify(task);
  const options = { input, encoding: "utf8", maxBuffer: 2 ** 28, cwd: scratch };
  return JSON.parse(execFileSync(process.execPath, [script], options));
}

/** Measures in a page, with the package unbundled. */
async function inChromium(task) {
  const [browser, server] = [await launch(), await serve({ folder: scratch })];
  try {
    const page = await browser.newPage();
    await page.goto(`${server.url}package/package.json`);
    return await page.evaluate(async (task) => {
      const { createSolver } = await import("/package/dist/index.js");
      const { measure } = await import("/tests/measure.mjs");
      const load = async (file) => new Uint8Array(await (await fetch(`/${file}`)).arrayBuffer());
      return measure(createSolver, load, task);
    }, task);
  } finally {
    await browser.close();
    await server.close();
  }
}

/** Records the times of random boards, and checks every solution by replaying it. */
function recordSolved(name, { times, reports }, bars) {
  reports.forEach(({ moves, proved }, i) => {
    const end = replay(tiles[i], 4, moves);
    if (!proved || end.join() !== ordered(16).join()) throw new Error(`board ${i + 1}: ${moves}`);
  });
  const sum = (key) => reports.reduce((all, report) => all + (report[key] ?? 0), 0);
  const ms = statistics(times);
  const more = { boards, length: sum("length"), nodes: sum("nodes"), ms };
  for (const key of ["median", "mean", "worst"]) {
    const row = `${name}: ${boards} random boards, ${key}`;
    const command = "solver.solve(board)";
    record(row, command, "ms", ms[key], bars[key] ?? null, key === "mean" ? more : {});
  }
}

/** `first` is the place in which each build is the first one. */
async function measurePackage(host, first, measure, packed) {
  const five = async (task) => {
    const found = [];
    for (let i = 0; i < 5; i++) found.push(await measure(task));
    const compiling = short(found.map(({ whole }) => whole));
    return [found, found.map(({ building }) => building), { with_worker_and_compiling: compiling }];
  };
  const options = { partition: "6-6-3" };
  const create = 'createSolver({ size: "4x4", partition: "6-6-3" })';
  const suffix = `first of a ${first}, worst of 5`;
  const [both, times, more] = await five({ options });
  recordWorst(`${host}: 6-6-3 built, ${suffix}`, create, "ms", times, 250, more);
  const oneSided = create.replace(" }", ", bothSides: false }");
  const [, quicker, also] = await five({ options: { ...options, bothSides: false } });
  const without = `${host}: 6-6-3 built, without other goals, ${suffix}`;
  recordWorst(without, oneSided, "ms", quicker, 250, also);
  const memory = Math.max(...both.map(({ memory }) => memory)) / 1e6;
  record(`${host}: memory of the wasm after 6-6-3`, create, "MB", memory, 64);

  const texts = tiles.map((each) => write(each, 4));
  const bars = { median: 4, mean: 15, worst: 1500 };
  recordSolved(`${host}: 6-6-3`, await measure({ options, boards: texts }), bars);

  const [unpacked, unpacking, beside] = await five({ options, files: packed["6-6-3"] });
  const bytes = { ...beside, packed_bytes: unpacked[0].packed };
  const open = "createSolver({ ..., tables: packed })";
  recordWorst(`${host}: packed 6-6-3 unpacked, worst of 5`, open, "ms", unpacking, 400, bytes);

  const seven = { options: { partition: "7-8" }, files: packed["7-8"], boards: texts };
  const bundle = await measure(seven);
  const size = { packed_bytes: bundle.packed, memory_mb: bundle.memory / 1e6 };
  const load = 'createSolver({ ..., partition: "7-8", tables: packed })';
  record(`${host}: packed 7-8 loaded`, load, "ms", bundle.building, null, size);
  recordSolved(`${host}: 7-8`, bundle, { mean: 4 });
}

// --- The page -----------------------------------------------------------------------------------

/** Runs in the page before its scripts. */
function watch() {
  window.longTasks = [];
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) {
      window.longTasks.push({ startTime, duration });
    }
  }).observe({ type: "longtask", buffered: true });
  window.longest = (since) =>
    window.longTasks
      .filter(({ startTime }) => startTime >= since)
      .reduce((most, { duration }) => Math.max(most, duration), 0);
  const named = (name) =>
    [...document.querySelectorAll("button:not(nav *)")].find(
      (each) => each.textContent.trim() === name && each.checkVisibility(),
    );
  /**
   * Waits until `found()` is true, now or after a change of the document. Resolves to the time of
   * the page's clock.
   */
  window.until = (found) =>
    new Promise((resolve) => {
      const look = () => {
        if (!found()) return;
        observer.disconnect();
        resolve(performance.now());
      };
      const observer = new MutationObserver(look);
      observer.observe(document, { childList: true, subtree: true, characterData: true });
      look();
    });
  window.named = named;
  window.said = (pattern) =>
    pattern.test(document.querySelector("#panel .status")?.textContent ?? "");
}

const brotli = new Map();

/** The number of the page's files among these addresses, and their bytes compressed by brotli. */
function packed(addresses) {
  let [requests, bytes] = [0, 0];
  for (const path of new Set([...addresses].map((each) => new URL(each).pathname))) {
    const file = join(dist, path === "/" ? "index.html" : path);
    if (!existsSync(file)) continue;
    if (!brotli.has(file)) brotli.set(file, brotliCompressSync(readFileSync(file)).length);
    requests++;
    bytes += brotli.get(file);
  }
  return { requests, bytes };
}

/**
 * A visit with a new profile and an empty cache, in which "Solve" is pressed as soon as it exists.
 * Returns the milliseconds from the start of the navigation until the answer is painted.
 */
async function firstVisit(seed) {
  const [browser, server] = [await launch(), await serve()];
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    const asked = new Set();
    page.on("request", (request) => asked.add(request.url()));
    await page.addInitScript(watch);
    await page.addInitScript(() => {
      window.first = (async () => {
        const shown = await window.until(() => window.named("Solve"));
        window.named("Solve").click();
        await window.until(() => window.said(/\d+ moves: no solution is shorter/));
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
        return { shown, answered: performance.now() };
      })();
    });
    const start = random(4, 4, seed);
    await page.goto(server.url + address(start, 4), { waitUntil: "commit" });
    const { shown, answered } = await page.evaluate(() => window.first);
    const sent = packed(asked);
    const longest = await page.evaluate(() => window.longest(0));
    // Then the service worker stores the rest of the page for the next visit, last the laboratory.
    const isLarge = (address) => /wasm-laboratory[^/]*\.wasm$/.test(address);
    let stored = [];
    while (!stored.some(isLarge)) {
      await page.waitForTimeout(500);
      stored = await page.evaluate(async () => {
        const caches_ = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
        const requests = await Promise.all(caches_.map((cache) => cache.keys()));
        return requests.flat().map(({ url }) => url);
      });
    }
    const all = [...asked, ...stored];
    return {
      ...{ shown, answered, longest, ...sent },
      kept: packed(all.filter((address) => !isLarge(address))).bytes,
      laboratory: packed(all.filter(isLarge)).bytes,
    };
  } finally {
    await browser.close();
    await server.close();
  }
}

/** The milliseconds until the page says "Cancelled." after its button is pressed. */
async function timesToCancel(tab) {
  const times = [];
  for (let i = 0; i < 10; i++) {
    await tab.waitForTimeout(400 + 37 * i);
    times.push(
      await tab.evaluate(async () => {
        await window.until(() => window.named("Cancel"));
        const began = performance.now();
        const ended = window.until(() => window.said(/Cancelled\./));
        window.named("Cancel").click();
        const taken = (await ended) - began;
        document.querySelector("#panel .button.primary").click();
        return taken;
      }),
    );
  }
  return times;
}

async function measurePage() {
  const visits = [];
  for (let seed = 1; seed <= 5; seed++) visits.push(await firstVisit(seed));
  const all = (key) => visits.map((visit) => visit[key]);
  const kB = (key) => all(key).map((bytes) => bytes / 1e3);
  const press = "a 4x4 in the address, Solve pressed as soon as it is there";
  const more = { button_there: short(all("shown")) };
  const answer = "Page: first answer on a fresh visit, worst of 5 random boards";
  recordWorst(answer, press, "ms", all("answered"), 1500, more);
  const longest = "Page: longest task of such a visit, loading and all";
  recordWorst(longest, "longtask", "ms", all("longest"), null);
  const packed = "files compressed by brotli";
  recordWorst("Page: bytes until that answer", packed, "kB", kB("bytes"), 500);
  recordWorst("Page: requests until that answer", "files of the page", "", all("requests"), 25);
  const kept = "Page: bytes kept for offline visits";
  recordWorst(`${kept}, without the laboratory`, packed, "kB", kB("kept"), 700);
  recordWorst(`${kept}, the laboratory's module`, packed, "kB", kB("laboratory"), null);

  const [browser, server] = [await launch(), await serve()];
  try {
    const tab = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await tab.addInitScript(watch);
    for (const [name, start, columns] of [
      ["5x5 anytime", random(5, 5, 1), 5],
      ["10x10 anytime", random(10, 10, 1), 10],
      ["4x4 for minutes", read(hard), 4],
    ]) {
      await tab.goto("about:blank");
      await tab.goto(server.url + address(start, columns));
      await solvable(tab);
      const since = await tab.evaluate(() => performance.now());
      await tab.evaluate(() => window.named("Solve").click());
      await tab.waitForTimeout(4000);
      const longest = await tab.evaluate((from) => window.longest(from), since);
      const row = `Page: longest task while solving, ${name}`;
      record(row, "longtask; 0 is under 50 ms", "ms", longest, 100);
    }
    const row = "Page: Cancel pressed until it is said, worst of 10";
    recordWorst(row, "the button", "ms", await timesToCancel(tab), 50);
  } finally {
    await browser.close();
    await server.close();
  }
}

// --- All measurements ---------------------------------------------------------------------------

const browser = await launch();
const about = circumstances(browser.version());
await browser.close();
try {
  await measurePage();
  const place = fileURLToPath(new URL(".", import.meta.resolve("sliding-tile-pdb/package.json")));
  symlinkSync(realpathSync(place), join(scratch, "package"));
  symlinkSync(import.meta.dirname, join(scratch, "tests"));
  const files = Object.fromEntries(["6-6-3", "7-8"].map((name) => [name, pack(name)]));
  await measurePackage("Node", "process", inNode, files);
  const cancelled = inNode({ options: { partition: "6-6-3" }, boards: [hard], cancels: 20 });
  const row = "Node: cancelled, worst of 20";
  recordWorst(row, "abort.abort()", "ms", cancelled.times, 50);
  await measurePackage("Chromium", "browser", inChromium, files);
} finally {
  rmSync(scratch, { recursive: true });
}
const missed = rows.filter(({ figure, bar }) => bar !== null && figure > bar);
writeFileSync(resolve(values.out), format({ ...about, rows }));
console.log(`\n${missed.length === 0 ? "All bars are met." : `${missed.length} bars are missed.`}`);
process.exitCode = missed.length === 0 ? 0 : 1;

/** JSON with each list of numbers on one line, as in the other files of docs/results. */
function format(value) {
  const text = JSON.stringify(value, null, 2);
  return (
    text.replace(/\[[\s\d.,-]*\]/g, (list) =>
      list.replace(/\s+/g, " ").replace(/\[ | \]/g, (edge) => edge.trim()),
    ) + "\n"
  );
}
