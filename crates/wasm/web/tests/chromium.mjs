// The built page in a real browser. One server and one browser serve all tests of a process, and
// every test has a profile of its own.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { packFolder, pageServer } from "../scripts/serve.mjs";

/** Where the built page is. */
export const dist = process.env.PAGE_DIST ?? fileURLToPath(new URL("../dist", import.meta.url));

export const desktop = { width: 1440, height: 900 };
export const phone = { width: 360, height: 740 };

const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Debian's Chromium, another on PATH, or the one that CHROMIUM names. */
function executable() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  for (const name of ["chromium", "chromium-browser", "google-chrome"]) {
    try {
      return execFileSync("which", [name], { encoding: "utf8" }).trim();
    } catch {
      // The next one.
    }
  }
  throw new Error("no Chromium: install it, or set CHROMIUM to its path");
}

/** A browser with a new profile folder, which goes with it. */
export const launch = () => chromium.launch({ executablePath: executable(), args: flags });

/** Serves a folder at a free port: `{ url, close }`. */
export async function serve({ folder = dist, isolated = true } = {}) {
  if (!existsSync(`${folder}/index.html`)) {
    throw new Error(`no page in ${folder}: run "npm run build" first`);
  }
  const server = pageServer({ folder, isolated });
  await packFolder(folder);
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A test that fails must not keep the process.
  server.unref();
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

let shared;

/** What all tests of this process use. */
async function start() {
  shared ??= Promise.all([launch(), serve()]);
  const [browser, server] = await shared;
  return { browser, server };
}

after(async () => {
  if (!shared) return;
  const { browser, server } = await start();
  await browser.close();
  await server.close();
});

/**
 * A test with a page of its own: `run({ page, context, open, problems, url })`. `open(hash)` goes to
 * the page. It fails when the page throws or writes an error to the console; `allow` is a pattern of
 * errors that the test brings about. Tiles slide at once, as under reduced motion.
 */
export function flow(name, options, run) {
  if (typeof options === "function") return flow(name, {}, options);
  const { viewport = desktop, allow, timeout = 60_000, own, touch, ...more } = options;
  test(name, { timeout }, async (t) => {
    const { browser, server } = await start();
    const context = await browser.newContext({
      viewport,
      reducedMotion: "reduce",
      locale: "en-GB",
      permissions: ["clipboard-read", "clipboard-write"],
      ...(touch && { hasTouch: true, isMobile: true, deviceScaleFactor: 2 }),
      ...more,
    });
    const problems = [];
    const watch = (page) => {
      page.setDefaultTimeout(15_000);
      page.on("pageerror", (error) => problems.push(error.stack ?? error.message));
      page.on("crash", () => problems.push("the page crashed"));
      page.on("console", (message) => {
        if (message.type() !== "error") return;
        problems.push(`${message.text()} (${message.location().url})`);
      });
    };
    context.on("page", watch);
    try {
      const page = await context.newPage();
      const url = own ?? server.url;
      const open = async (hash = "", address = url) => {
        await page.goto(address + hash);
        await page.locator('section[aria-label="Board"] [data-tile]').first().waitFor();
      };
      await run({ t, page, context, open, problems, url });
      const unexpected = problems.filter((text) => !allow?.test(text));
      if (unexpected.length) throw new Error(`errors in the page:\n${unexpected.join("\n")}`);
    } catch (error) {
      if (process.env.PAGE_SHOTS) {
        const file = `${process.env.PAGE_SHOTS}/${name.replaceAll(/[^a-z0-9]+/gi, "-")}.png`;
        await context.pages()[0]?.screenshot({ path: file, timeout: 5000 }).catch(() => {});
      }
      const unexpected = problems.filter((text) => !allow?.test(text));
      if (unexpected.length) t.diagnostic(`errors in the page:\n${unexpected.join("\n")}`);
      throw error;
    } finally {
      await context.close();
    }
  });
}
