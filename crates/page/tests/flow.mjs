// A test on the page. All tests of a process share one server and one browser; each test has its
// own profile.
import { after, test } from "node:test";
import { launch, serve } from "./chromium.mjs";

export const desktop = { width: 1440, height: 900 };
export const phone = { width: 360, height: 740 };

let shared;

/** Starts the parts that all tests of this process share. */
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
 * A test with its own page: `run({ page, context, open, problems, url })`. `open(hash)` opens the
 * page. The test fails if the page throws or writes an error to the console; `allow` is a pattern
 * of expected errors. Tiles move without animation, as under reduced motion.
 */
export function flow(name, options, run) {
  if (typeof options === "function") return flow(name, {}, options);
  const { viewport = desktop, allow, timeout = 60_000, touch, ...more } = options;
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
    const unexpected = () => problems.filter((text) => !allow?.test(text)).join("\n");
    try {
      const page = await context.newPage();
      const { url } = server;
      const open = async (hash = "", address = url) => {
        await page.goto(address + hash);
        await page.locator(".stage [data-tile]").first().waitFor();
      };
      await run({ t, page, context, open, problems, url });
      if (unexpected()) throw new Error("errors in the page");
    } catch (error) {
      const path = `${process.env.PAGE_SHOTS}/${name.replaceAll(/[^a-z0-9]+/gi, "-")}.png`;
      const [first] = process.env.PAGE_SHOTS ? context.pages() : [];
      await first?.screenshot({ path, timeout: 5000 }).catch(() => {});
      if (unexpected()) t.diagnostic(`errors in the page:\n${unexpected()}`);
      throw error;
    } finally {
      await context.close();
    }
  });
}
