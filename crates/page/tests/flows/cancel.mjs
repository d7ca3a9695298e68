// A cancellation takes effect immediately, keeps the tables, and does not freeze the page.
import assert from "node:assert/strict";
import { flow } from "../flow.mjs";
import { answer, boardIs, button, chooseMode, fold, goTo, openPanel, press } from "../page.mjs";
import { address, hard, known, ordered, random, read, replay } from "../puzzle.mjs";

const minutes = read(hard);
/** Limit in milliseconds. An idle machine needs less than 50 ms, but other tests run as well. */
const most = 250;

/** Presses a button of the panel; returns the milliseconds until the panel has the text. */
const timeUntil = (page, name, text) =>
  page.evaluate(
    ([name, text]) => {
      const panel = document.querySelector("#panel");
      const isIt = (each) => each.textContent.trim() === name;
      const began = performance.now();
      const done = new Promise((resolve) => {
        const look = () => {
          if (!panel.textContent.includes(text)) return;
          observer.disconnect();
          resolve(performance.now() - began);
        };
        const observer = new MutationObserver(look);
        observer.observe(panel, { childList: true, subtree: true, characterData: true });
      });
      [...panel.querySelectorAll("button")].find(isIt).click();
      return done;
    },
    [name, text],
  );

const shown = (page, name) =>
  fold(page).locator(".status dl div").filter({ hasText: name }).locator("dd").first();

flow("a hard board is cancelled at once, and the next one solved", async ({ t, page, open }) => {
  await page.addInitScript(() => {
    window.longest = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) {
        window.longest = Math.max(window.longest, duration);
      }
    }).observe({ type: "longtask" });
  });
  await open(address(minutes, 4));
  await openPanel(page, "Solve");
  await shown(page, "Nodes").filter({ hasText: /\d/ }).waitFor();
  await page.evaluate(() => (window.longest = 0));
  await page.waitForTimeout(2000);
  const longest = await page.evaluate(() => window.longest);
  const taken = await timeUntil(page, "Cancel", "Cancelled.");
  t.diagnostic(`longest task while solving: ${longest || "under 50"} ms, cancelled in ${taken} ms`);
  assert.ok(longest <= most && taken <= most, `${longest} ms, ${taken} ms`);
  await fold(page).getByText(/No solution is shorter than \d+ moves\./).waitFor();
  await boardIs(page, minutes);

  // The worker is free again and still has its tables: the next answer takes less time than a
  // build.
  await goTo(page, address(known, 4));
  await boardIs(page, known);
  const answered = await timeUntil(page, "Solve", "55 moves: no solution is shorter");
  t.diagnostic(`the next board was solved in ${answered} ms`);
  assert.ok(answered < 1500, `answered: ${answered}`);

  // A move ends a search, and the panel shows the new board.
  await goTo(page, address(minutes, 4));
  await boardIs(page, minutes);
  await button(fold(page), "Solve").click();
  await shown(page, "Nodes").waitFor();
  await press(page, "U");
  await boardIs(page, replay(minutes, 4, "U"));
  await button(fold(page), "Solve").waitFor();
});

for (const [hash, mode] of [
  [address(random(5, 5, 2), 5), "Shortest"],
  ["#6x6", "Quick"],
]) {
  flow(`a cancelled search has a solution to play: ${mode}`, async ({ page, open }) => {
    await open(hash);
    // Opening the panel begins a search in the mode of the size, which is "Quick".
    await openPanel(page, "Solve");
    if (mode !== "Quick") {
      await chooseMode(page, mode);
      await button(fold(page), "Solve").click();
    }
    await shown(page, "Best").filter({ hasText: /\d/ }).waitFor();
    await button(fold(page), "Cancel").click();
    assert.match(await answer(page), /^Stopped\. \d+ moves/);
    await button(fold(page), "To the end").click();
    await boardIs(page, ordered(mode === "Quick" ? 36 : 25));
  });
}
