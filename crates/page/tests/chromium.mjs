// The browser of the tests, and a server of the built page.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { preview } from "vite";
import { executable, flags } from "../../npm/test/find-chromium.mjs";
import { isolation } from "../scripts/isolation.mjs";

/** The folder of the built page. */
export const dist = process.env.PAGE_DIST ?? fileURLToPath(new URL("../dist", import.meta.url));

/** Starts a browser with a new profile folder; closing the browser removes the folder. */
export const launch = () => chromium.launch({ executablePath: executable(), args: flags });

/** Serves a folder on a free port. Hosts with `isolated` let the page use threads. */
export async function serve({ folder = dist, isolated = true } = {}) {
  if (folder === dist && !existsSync(`${folder}/index.html`)) {
    throw new Error(`no page in ${folder}: run "npm run build" first`);
  }
  const server = await preview({
    configFile: false,
    root: folder,
    appType: "mpa",
    logLevel: "silent",
    build: { outDir: folder },
    preview: { host: "127.0.0.1", port: 0, ...(isolated && { headers: isolation }) },
  });
  // A failed test must not keep the process alive.
  server.httpServer.unref();
  return { url: server.resolvedUrls.local[0], close: () => server.close() };
}
