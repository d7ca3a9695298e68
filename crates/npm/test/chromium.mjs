// Starts the browser of the tests.
import { chromium } from "playwright-core";
import { executable, flags } from "./find-chromium.mjs";

/** Starts Chromium. */
export async function launch() {
  return chromium.launch({ executablePath: executable(), args: flags });
}

/** A page with a new profile; `page.problems` collects its errors. */
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
