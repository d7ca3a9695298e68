// The package that `npm pack` makes: its files and their size. The examples run with an installed
// copy of the package.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { cpSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { launch, openPage } from "./chromium.mjs";
import {
  ISOLATED,
  packageDirectory,
  replay,
  serve,
  temporaryDirectory,
  GOAL_15,
  HARD,
} from "./support.mjs";

const directory = temporaryDirectory();
const board = "5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13";
const WASM = "sliding_tile_pdb_bg.wasm";
let packed;

const run = (command, args, cwd) =>
  execFileSync(command, args, { cwd, stdio: ["ignore", "pipe", "pipe"] }).toString();

/** Installs the package and the other dependencies of an example into a copy of the example. */
function install(example) {
  const copy = join(directory, example);
  cpSync(join(packageDirectory, "examples", example), copy, { recursive: true });
  const tarball = join(directory, packed.filename);
  run("npm", ["install", "--no-audit", "--no-fund", tarball], copy);
  return copy;
}

async function coresOf(browser) {
  const page = await browser.newPage();
  const cores = await page.evaluate("navigator.hardwareConcurrency");
  await page.close();
  return cores;
}

before(() => {
  const args = ["pack", "--json", "--pack-destination", directory];
  const answer = JSON.parse(run("npm", args, packageDirectory));
  packed = Array.isArray(answer) ? answer[0] : Object.values(answer)[0];
});

test("the files and their size", async (t) => {
  const names = packed.files.map(({ path }) => path);
  const sources = names.filter((name) => name.startsWith("src/"));
  const expected = sources.flatMap((source) => {
    const name = source.replace(/^src/, "dist").replace(/\.ts$/, "");
    return [`${name}.js`, `${name}.js.map`, `${name}.d.ts`, `${name}.d.ts.map`, source];
  });
  expected.push(
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "THIRD-PARTY-LICENSES",
    "package.json",
  );
  const modules = ["wasm-rules", "wasm", "wasm-threads", "wasm-laboratory"];
  for (const module of modules) {
    const ends = [".d.ts", ".js", "_bg.wasm"];
    expected.push(...ends.map((end) => `${module}/sliding_tile_pdb${end}`));
  }
  assert.deepEqual(names.toSorted(), expected.toSorted());
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
  const compress = promisify(brotliCompress);
  const lengthOf = async (bytes) => (await compress(bytes, { params })).length;
  const wasm = modules.map((module) => readFileSync(join(packageDirectory, module, WASM)));
  const brotli = await Promise.all(wasm.map(lengthOf));
  const scripts = names.filter((name) => name.endsWith(".js"));
  const js = scripts.map((name) => readFileSync(join(packageDirectory, name)));
  const jsBrotli = await lengthOf(Buffer.concat(js));
  t.diagnostic(`tarball ${packed.size} bytes, unpacked ${packed.unpackedSize}`);
  t.diagnostic(`brotli: ${modules.join(", ")} ${brotli.join(", ")}; scripts ${jsBrotli}`);
  assert.ok(packed.size < 1_600_000 && jsBrotli < 50_000);
  const [rules, single, threads, laboratory] = brotli;
  assert.ok(rules < 108_000 && single < 372_000 && threads < 394_000 && laboratory < 255_000);
  // The files contain no paths of this machine.
  for (const name of names.filter((name) => /\.(js|json|md|map|ts)$/.test(name))) {
    const text = readFileSync(join(packageDirectory, name), "utf8");
    assert.ok(!text.includes(packageDirectory), name);
  }
});

test("Node", () => {
  const copy = install("node");
  const lines = run(process.execPath, ["solve.mjs"], copy).trim().split("\n");
  assert.match(lines[0], /^tables 6-6-3 built in \d+ ms$/);
  assert.equal(replay(board, /^55 moves: (\S+)$/.exec(lines[1])[1]), GOAL_15);
  assert.deepEqual(lines.slice(2), ["40 solutions of 31 moves", "cancelled"]);
  // The types compile in projects that also check the types of libraries.
  const source = join(copy, "node_modules/sliding-tile-pdb/dist/index.d.ts");
  const tsc = join(packageDirectory, "node_modules/typescript/bin/tsc");
  const options = ["--noEmit", "--strict", "--lib", "ES2022,DOM", "--module", "NodeNext"];
  run(process.execPath, [tsc, ...options, source], copy);
  // In strict code, the fields of the result of `solve` need no check for `undefined`.
  const program = join(copy, "solution.ts");
  writeFileSync(
    program,
    `import { createSolver } from "sliding-tile-pdb";
     const solver = await createSolver({ size: "3x3" });
     const { length, moves, proved } = await solver.solve("8 6 7/2 5 4/3 0 1");
     export const text: string = proved ? moves.repeat(length) : "";`,
  );
  run(process.execPath, [tsc, ...options, program], copy);
});

test("esbuild: workers and modules by their addresses; the size of the board", async (t) => {
  const copy = install("esbuild");
  run("npm", ["run", "build"], copy);
  const browser = await launch();
  t.after(() => browser.close());
  for (const headers of [{}, ISOLATED]) {
    const server = await serve(join(copy, "dist"), { headers });
    const page = await openPage(browser, server.url("/"));
    await page.waitForFunction("/moves/.test(document.querySelector('output').textContent)");
    const text = await page.textContent("output");
    assert.equal(replay(board, text.split(": ")[1]), GOAL_15);
    assert.deepEqual(page.problems, []);
    const wasm = server.requests.filter((request) => request.endsWith(".wasm"));
    const isShared = headers === ISOLATED && (await coresOf(browser)) > 1;
    assert.deepEqual(wasm, [isShared ? "/wasm-threads.wasm" : "/wasm.wasm"]);
    await page.context().close();
    server.close();
  }

  // The board and its rules work without WebAssembly.
  writeFileSync(join(copy, "src/board.js"), 'import "sliding-tile-pdb/board";');
  const esbuild = join(copy, "node_modules/.bin/esbuild");
  run(esbuild, ["src/board.js", "--bundle", "--minify", "--outfile=dist/board.js"], copy);
  const { size } = statSync(join(copy, "dist/board.js"));
  t.diagnostic(`the board, minified: ${size} bytes`);
  assert.ok(size < 60_000, `${size} bytes`);
});

test("Vite: built, and in development", async (t) => {
  const copy = install("vite");
  run("npm", ["run", "build"], copy);
  assert.ok(statSync(join(copy, "dist/index.html")).isFile());
  const browser = await launch();
  after(() => browser.close());

  const check = async (url) => {
    const page = await openPage(browser, url);
    await page.fill("input", HARD);
    await page.click("text=Solve");
    await page.waitForFunction("/nodes/.test(document.querySelector('output').textContent)");
    await page.click("text=Cancel");
    await page.waitForFunction("document.querySelector('output').textContent === 'cancelled'");
    await page.fill("input", board);
    await page.click("text=Solve");
    await page.waitForFunction("/^55 moves/.test(document.querySelector('output').textContent)");
    const text = await page.textContent("output");
    assert.equal(replay(board, text.split(": ")[1]), GOAL_15);
    assert.deepEqual(page.problems, []);
    await page.context().close();
  };

  // Only one module is requested: on an isolated page with several cores `wasm-threads`, otherwise
  // `wasm`.
  const sizes = [];
  for (const headers of [{}, ISOLATED]) {
    const server = await serve(join(copy, "dist"), { headers });
    await check(server.url("/"));
    const wasm = server.requests.filter((request) => request.endsWith(".wasm"));
    assert.equal(wasm.length, 1);
    sizes.push(statSync(join(copy, "dist", wasm[0])).size);
    server.close();
  }
  const modules = ["wasm", (await coresOf(browser)) > 1 ? "wasm-threads" : "wasm"];
  const sizeOf = (module) => statSync(join(packageDirectory, module, WASM)).size;
  assert.deepEqual(sizes, modules.map(sizeOf));

  const vite = join(copy, "node_modules/vite/bin/vite.js");
  const args = [vite, "--host", "127.0.0.1", "--port", "0"];
  const child = spawn(process.execPath, args, { cwd: copy, stdio: ["ignore", "pipe", "inherit"] });
  t.after(() => child.kill());
  const url = await new Promise((resolve, reject) => {
    let said = "";
    child.stdout.on("data", (data) => {
      said += data;
      const found = /http:\/\/127\.0\.0\.1:\d+\//.exec(said.replace(/\x1b\[\d+m/g, ""));
      if (found) resolve(found[0]);
    });
    child.on("exit", () => reject(new Error(`vite ended: ${said}`)));
  });
  await check(url);
});
