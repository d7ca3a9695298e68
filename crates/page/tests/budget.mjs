// Measures the page and the package, and compares the figures with their limits:
// node tests/budget.mjs [--out FILE]
//
// Build the page first. The repository's `pdb-gen`, or the program whose path is PDB_GEN, packs the
// tables. Writes docs/results/page.json of the repository, or FILE; exits with 1 if a limit is
// exceeded. Figures are valid only for an idle machine.
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { brotliCompressSync } from "node:zlib";
import { dist, launch, serve } from "./chromium.mjs";
import { circumstances, statistics } from "./machine.mjs";
import { button, solvable, stage } from "./page.mjs";
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

const most = (numbers) => Math.max(...numbers);
const short = (numbers) => numbers.map((each) => Number(each.toFixed(2)));

// --- The package in Node ------------------------------------------------------------------------

function inNode(...task) {
  const script = fileURLToPath(new URL("budget-node.mjs", import.meta.url));
  const text = execFileSync(process.execPath, [script, ...task], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  return JSON.parse(text);
}

function pack(partition) {
  const out = join(scratch, partition);
  const built = join(repository, "target/release/pdb-gen");
  const [command, ...first] = process.env.PDB_GEN
    ? [process.env.PDB_GEN]
    : existsSync(built)
      ? [built]
      : ["cargo", "run", "--quiet", "--locked", "--release", "--bin", "pdb-gen", "--"];
  const tables = join(scratch, "tables");
  const parts = ["pack", "--partition", partition, "--tables", tables, "--out", out];
  execFileSync(command, [...first, ...parts, "--quiet"], { cwd: repository, stdio: "inherit" });
  return out;
}

/** Records first builds of 6-6-3, five with tables of other goal cells and five without. */
function built(host, first, builds, oneSided) {
  const create = 'createSolver({ size: "4x4", partition: "6-6-3" })';
  for (const [name, command, made] of [
    ["6-6-3 built", create, builds],
    ["6-6-3 built, without other goals", create.replace(" }", ", bothSides: false }"), oneSided],
  ]) {
    record(
      `${host}: ${name}, first of a ${first}, worst of 5`,
      command,
      "ms",
      most(made.map(({ building }) => building)),
      250,
      {
        runs: short(made.map(({ building }) => building)),
        with_worker_and_compiling: short(made.map(({ whole }) => whole)),
      },
    );
  }
  record(
    `${host}: memory of the wasm after 6-6-3`,
    create,
    "MB",
    most(builds.map(({ memory }) => memory)) / 1e6,
    64,
  );
}

function node() {
  const builds = (sides) => Array.from({ length: 5 }, () => inNode("build", sides));
  built("Node", "process", builds("both"), builds("one"));

  const found = inNode("boards", String(boards));
  solved("Node: 6-6-3", found, { median: 4, mean: 15, worst: 1500 });

  const small = pack("6-6-3");
  const unpacked = Array.from({ length: 5 }, () => inNode("unpack", small));
  record(
    "Node: packed 6-6-3 unpacked, worst of 5",
    "createSolver({ ..., tables: packed })",
    "ms",
    most(unpacked.map(({ building }) => building)),
    400,
    {
      runs: short(unpacked.map(({ building }) => building)),
      with_worker_and_compiling: short(unpacked.map(({ whole }) => whole)),
      packed_bytes: unpacked[0].bytes,
    },
  );

  const large = pack("7-8");
  const bundle = inNode("bundle", large, String(boards));
  record(
    "Node: packed 7-8 loaded",
    'createSolver({ ..., partition: "7-8", tables: packed })',
    "ms",
    bundle.building,
    null,
    { packed_bytes: bundle.bytes, memory_mb: bundle.memory / 1e6 },
  );
  solved("Node: 7-8", bundle, { mean: 4 });

  const { times } = inNode("cancel");
  record("Node: cancelled, worst of 20", "abort.abort()", "ms", most(times), 50, {
    runs: short(times),
  });
}

function solved(name, { times, nodes, length }, bars) {
  const ms = statistics(times);
  for (const key of ["median", "mean", "worst"]) {
    record(
      `${name}: ${boards} random boards, ${key}`,
      "solver.solve(board)",
      "ms",
      ms[key],
      bars[key] ?? null,
      key === "mean" ? { boards, length, nodes, ms } : {},
    );
  }
}

// --- The package in Chromium --------------------------------------------------------------------

/** Repeats the measurements of `budget-node.mjs` in a page, with the package unbundled. */
async function inPage(server, options, number = 0) {
  const browser = await launch();
  try {
    const page = await browser.newPage();
    await page.goto(`${server.url}package/package.json`);
    const tiles = Array.from({ length: number }, (_, i) => write(random(4, 4, i + 1), 4));
    const found = await page.evaluate(
      async ([solverOptions, files, all]) => {
        const { createSolver } = await import("/package/dist/index.js");
        const bytes = async (file) => new Uint8Array(await (await fetch(file)).arrayBuffer());
        const tables = files && (await Promise.all(files.map(bytes)));
        const began = performance.now();
        let first = 0;
        const solver = await createSolver({
          size: "4x4",
          ...solverOptions,
          ...(tables && { tables }),
          onProgress: () => (first ||= performance.now()),
        });
        const whole = performance.now() - began;
        const building = performance.now() - first;
        const reports = [];
        const times = [];
        for (const board of all) {
          const start = performance.now();
          reports.push(await solver.solve(board));
          times.push(performance.now() - start);
        }
        const memory = await solver.memory();
        return { building, ms: solver.ms, whole, memory, times, reports };
      },
      [options.solver, options.files ?? null, tiles],
    );
    found.reports.forEach(({ moves, optimal }, i) => {
      const end = replay(random(4, 4, i + 1), 4, moves);
      if (!optimal || end.join() !== ordered(16).join())
        throw new Error(`board ${i + 1}: ${moves}`);
    });
    const sum = (key) => found.reports.reduce((all, report) => all + (report[key] ?? 0), 0);
    return { ...found, nodes: sum("nodes"), length: sum("length") };
  } finally {
    await browser.close();
  }
}

async function packageInChromium() {
  const package_ = fileURLToPath(
    new URL(".", import.meta.resolve("sliding-tile-pdb/package.json")),
  );
  symlinkSync(realpathSync(package_), join(scratch, "package"));
  const server = await serve({ folder: scratch });
  try {
    const builds = { both: [], one: [] };
    for (let i = 0; i < 5; i++) {
      for (const [sides, made] of Object.entries(builds)) {
        const bothSides = sides === "both";
        made.push(await inPage(server, { solver: { partition: "6-6-3", bothSides } }));
      }
    }
    built("Chromium", "browser", builds.both, builds.one);
    solved("Chromium: 6-6-3", await inPage(server, { solver: { partition: "6-6-3" } }, boards), {
      median: 4,
      mean: 15,
      worst: 1500,
    });

    const files = (folder) =>
      readdirSync(join(scratch, folder))
        .filter((name) => name.endsWith(".pdbz"))
        .map((name) => `/${folder}/${name}`);
    const packed = { solver: { partition: "6-6-3" }, files: files("6-6-3") };
    const unpacked = [];
    for (let i = 0; i < 5; i++) unpacked.push(await inPage(server, packed));
    record(
      "Chromium: packed 6-6-3 unpacked, worst of 5",
      "createSolver({ ..., tables: packed })",
      "ms",
      most(unpacked.map(({ building }) => building)),
      400,
      {
        runs: short(unpacked.map(({ building }) => building)),
        with_worker_and_compiling: short(unpacked.map(({ whole }) => whole)),
      },
    );
    const seven = { solver: { partition: "7-8" }, files: files("7-8") };
    const bundle = await inPage(server, seven, boards);
    record(
      "Chromium: packed 7-8 loaded",
      'createSolver({ ..., partition: "7-8", tables: packed })',
      "ms",
      bundle.building,
      null,
      { memory_mb: bundle.memory / 1e6 },
    );
    solved("Chromium: 7-8", bundle, { mean: 4 });
  } finally {
    await server.close();
  }
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
    const began = performance.now();
    await page.goto(server.url + address(start, 4), { waitUntil: "commit" });
    const { shown, answered } = await page.evaluate(() => window.first);
    const outside = performance.now() - began;
    const sent = packed(asked);
    const longest = await page.evaluate(() => window.longest(0));
    // Then the service worker stores the rest of the page for the next visit.
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.waitForTimeout(1000);
    const stored = await page.evaluate(async () => {
      const caches_ = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
      const requests = await Promise.all(caches_.map((cache) => cache.keys()));
      return requests.flat().map(({ url }) => url);
    });
    return {
      ...{ shown, answered, outside, longest, requests: sent.requests },
      bytes: sent.bytes,
      all: packed([...asked, ...stored]).bytes,
    };
  } finally {
    await browser.close();
    await server.close();
  }
}

async function page() {
  const visits = [];
  for (let seed = 1; seed <= 5; seed++) visits.push(await firstVisit(seed));
  const all = (key) => short(visits.map((visit) => visit[key]));
  record(
    "Page: first answer on a fresh visit, worst of 5 random boards",
    "a 4x4 in the address, Solve pressed as soon as it is there",
    "ms",
    most(all("answered")),
    1500,
    {
      runs: all("answered"),
      seen_from_outside: all("outside"),
      button_there: all("shown"),
    },
  );
  record(
    "Page: longest task of such a visit, loading and all",
    "longtask",
    "ms",
    most(all("longest")),
    null,
    { runs: all("longest") },
  );
  record(
    "Page: bytes until that answer",
    "files compressed by brotli",
    "kB",
    most(all("bytes")) / 1e3,
    500,
    { runs: all("bytes") },
  );
  record(
    "Page: requests until that answer",
    "files of the page",
    "",
    most(all("requests")),
    25,
    { runs: all("requests") },
  );
  record(
    "Page: bytes in all, kept for offline visits",
    "files compressed by brotli",
    "kB",
    most(all("all")) / 1e3,
    700,
    { runs: all("all") },
  );

  const [browser, server] = [await launch(), await serve()];
  try {
    const tab = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await tab.addInitScript(watch);
    for (const [name, start, columns] of [
      ["4x4 for minutes", read(hard), 4],
      ["5x5 anytime", random(5, 5, 1), 5],
      ["10x10 anytime", random(10, 10, 1), 10],
    ]) {
      await tab.goto("about:blank");
      await tab.goto(server.url + address(start, columns));
      await solvable(tab);
      const since = await tab.evaluate(() => {
        const now = performance.now();
        window.named("Solve").click();
        return now;
      });
      await tab.waitForTimeout(4000);
      const longest = await tab.evaluate((from) => window.longest(from), since);
      record(
        `Page: longest task while solving, ${name}`,
        "longtask; 0 is under 50 ms",
        "ms",
        longest,
        100,
      );
    }

    await tab.goto("about:blank");
    await tab.goto(server.url + address(read(hard), 4));
    await solvable(tab);
    await button(stage(tab), "Solve").click();
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
    record(
      "Page: Cancel pressed until it is said, worst of 10",
      "the button",
      "ms",
      most(times),
      50,
      { runs: short(times) },
    );
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
  await page();
  node();
  await packageInChromium();
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
