// A real browser for tests.
import { chromium } from "playwright-core";
import { executable, flags } from "./find-chromium.mjs";

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
