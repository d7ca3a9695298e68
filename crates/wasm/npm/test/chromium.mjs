// A real browser for tests.
import { execFileSync } from "node:child_process";
import { chromium } from "playwright-core";

export const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Debian's Chromium, or the one that CHROMIUM names. */
export const executable = () =>
  process.env.CHROMIUM ?? execFileSync("which", ["chromium"]).toString().trim();

/** Starts it. */
export async function launch() {
  return chromium.launch({ executablePath: executable(), args: flags });
}

/** A page of a new profile; what goes wrong in it is in `page.problems`. */
export async function openPage(browser, url) {
  const context = await browser.newContext();
  const page = await context.newPage();
  page.problems = [];
  page.on("pageerror", (error) => page.problems.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") page.problems.push(message.text());
  });
  await page.goto(url.href ?? url);
  return page;
}
