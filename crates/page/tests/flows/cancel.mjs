// A cancellation takes effect immediately, keeps the tables, and does not freeze the page.
import assert from "node:assert/strict";
import { flow } from "../flow.mjs";
import { answer, boardIs, button, chooseMode, fold, openPanel, solvable, stage, strip } from "../page.mjs";
import { address, hard, ordered, random, read, replay } from "../puzzle.mjs";

const minutes = read(hard);
/** Limit in milliseconds. An idle machine needs less than 50 ms, but other tests run as well. */
const most = 250;

/** Presses Cancel during the search; returns the milliseconds until the page confirms it. */
async function cancel(page) {
  const nodes = fold(page).locator(".status dl div").filter({ hasText: "Nodes" }).first();
  await nodes.locator("dd").filter({ hasText: /\d/ }).waitFor();
  await page.waitForTimeout(500);
  return page.evaluate(async () => {
    const panel = document.querySelector("#panel");
    const pressed = [...panel.querySelectorAll("button")].find(
      (each) => each.textContent.trim() === "Cancel",
    );
    const began = performance.now();
    const done = new Promise((resolve) => {
      const look = () => {
        if (!panel.textContent.includes("Cancelled.")) return;
        observer.disconnect();
        resolve(performance.now() - began);
      };
      const observer = new MutationObserver(look);
      observer.observe(panel, { childList: true, subtree: true, characterData: true });
    });
    pressed.click();
    return done;
  });
}

flow("a hard board is cancelled at once, and the next one solved", async ({ t, page, open }) => {
  await open(address(minutes, 4));
  await openPanel(page, "Solve");
  const taken = await cancel(page);
  t.diagnostic(`cancelled in ${taken.toFixed(1)} ms`);
  assert.ok(taken <= most, `${taken} ms`);
  await fold(page)
    .getByText(/No solution is shorter than \d+ moves\./)
    .waitFor();
  await boardIs(page, minutes);

  // The worker is free again and still has its tables: the next answer takes less time than a
  // build.
  const next = read("5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13");
  await page.evaluate((hash) => (location.hash = hash), address(next, 4));
  await boardIs(page, next);
  const answered = await page.evaluate(async () => {
    const panel = document.querySelector("#panel");
    const begin = [...panel.querySelectorAll("button")].find(
      (each) => each.textContent.trim() === "Solve",
    );
    const began = performance.now();
    begin.click();
    while (!/55 moves: no solution is shorter/.test(panel.textContent)) {
      if (panel.textContent.includes("Building table")) return "built anew";
      if (performance.now() - began > 20_000) return "no answer";
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    return performance.now() - began;
  });
  t.diagnostic(`the next board was solved in ${answered} ms`);
  assert.ok(answered < 1500, `answered: ${answered}`);
});

flow("the page never freezes while it searches", async ({ t, page, open }) => {
  await page.addInitScript(() => {
    window.longTasks = [];
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) {
        window.longTasks.push({ startTime, duration });
      }
    }).observe({ type: "longtask" });
  });
  await open(address(minutes, 4));
  await solvable(page);
  const began = await page.evaluate(() => performance.now());
  await openPanel(page, "Solve");
  await fold(page).locator(".status dl").waitFor();
  await page.waitForTimeout(2000);
  const longest = await page.evaluate(
    (since) =>
      window.longTasks
        .filter(({ startTime }) => startTime >= since)
        .reduce((most, { duration }) => Math.max(most, duration), 0),
    began,
  );
  t.diagnostic(`longest task while solving: ${longest || "under 50"} ms`);
  assert.ok(longest <= most, `${longest} ms`);

  // A move during the search ends the search, and the panel shows the new board.
  await page.keyboard.press("ArrowUp");
  await boardIs(page, replay(minutes, 4, "U"));
  await button(fold(page), "Solve").waitFor();
});

flow("a cancelled optimal search on 5x5 has a solution to play", async ({ page, open }) => {
  const start = random(5, 5, 2);
  await open(address(start, 5));
  await openPanel(page, "Solve");
  await chooseMode(page, "Shortest");
  await button(fold(page), "Solve").click();
  const list = fold(page).getByRole("listbox", { name: "Moves", exact: true });
  await list.waitFor();
  await button(fold(page), "Cancel").click();
  assert.match(await answer(page), /^Stopped\. \d+ moves/);
  await button(fold(page), "To the end").click();
  await boardIs(page, ordered(25));
});

flow("a cancelled anytime search keeps its best solution", async ({ page, open }) => {
  await open("#6x6");
  await openPanel(page, "Solve");
  const best = fold(page).locator(".status dl div").filter({ hasText: "Best" }).locator("dd");
  await best.filter({ hasText: /\d/ }).waitFor();
  await button(fold(page), "Cancel").click();
  assert.match(await answer(page), /^Stopped\. \d+ moves/);
  await button(fold(page), "Play").waitFor();
});
