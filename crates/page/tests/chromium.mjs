// The browser of the tests, and a server of the built page.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { executable, flags } from "../../npm/test/find-chromium.mjs";
import { packFolder, pageServer } from "../scripts/serve.mjs";

/** The folder of the built page. */
export const dist = process.env.PAGE_DIST ?? fileURLToPath(new URL("../dist", import.meta.url));

/** Starts a browser with a new profile folder; closing the browser removes the folder. */
export const launch = () => chromium.launch({ executablePath: executable(), args: flags });

/** Serves a folder on a free port: `{ url, sent, close }`; `sent()` returns all bytes sent so far. */
export async function serve({ folder = dist, isolated = true, isPacked = true } = {}) {
  if (folder === dist && !existsSync(`${folder}/index.html`)) {
    throw new Error(`no page in ${folder}: run "npm run build" first`);
  }
  const server = pageServer({ folder, isolated, isPacked });
  if (isPacked) await packFolder(folder);
  const sockets = [];
  server.on("connection", (socket) => sockets.push(socket));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A failed test must not keep the process alive.
  server.unref();
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    sent: () => sockets.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0),
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}
