// The default build of scripts/serve-page.sh, which lacks the module for several threads.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { serve } from "../chromium.mjs";
import { flow } from "../flow.mjs";
import { openPanel, solve } from "../page.mjs";
import { address, read } from "../puzzle.mjs";

const folder = mkdtempSync(join(tmpdir(), "page-threads-"));
after(() => rmSync(folder, { recursive: true }));

const name = "a build without threads solves, and never asks for them";
flow(name, { timeout: 120_000 }, async ({ page, open }) => {
  await build({
    root: fileURLToPath(new URL("../..", import.meta.url)),
    logLevel: "error",
    define: { __THREADS__: "false" },
    build: { outDir: folder },
  });
  const server = await serve({ folder });
  const asked = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  try {
    await open(address(read("5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13"), 4), server.url);
    assert.ok(await page.evaluate(() => crossOriginIsolated), "the host allows threads");
    await solve(page);
    await openPanel(page, "Laboratory");
    const modules = asked.filter((path) => path.endsWith(".wasm")).map((path) => path.slice(8));
    const names = new Set(modules.map((name) => name.slice(0, -"-12345678.wasm".length)));
    assert.deepEqual([...names].sort(), ["wasm", "wasm-rules"]);
    assert.ok(!asked.some((path) => path.includes("threads")), "no worker of those with threads");
  } finally {
    await server.close();
  }
});
