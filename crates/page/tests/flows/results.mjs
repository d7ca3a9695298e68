// Times: the clock, inspection, the best results, and which games count.
import assert from "node:assert/strict";
import { flow, phone } from "../flow.mjs";
import { board, boardIs, button, fold, fromMenu, movesAre, press } from "../page.mjs";
import { stage, strip, told } from "../page.mjs";
import { address, far3x3 as far, ordered, replay, ways } from "../puzzle.mjs";

const almost = address(replay(ordered(9), 3, "DRRU"), 3);
const dialog = (page) => page.getByRole("dialog", { name: "Best times" });
const time = (page) => stage(page).locator(".time");

/** Solves a 3x3 board with keys and `detours` extra pairs of moves; returns the number of moves. */
async function solveByHand(page, detours = 0) {
  let tiles = await board(page);
  // The page starts to observe games, and to store results, when it is idle after loading.
  await page.waitForTimeout(300);
  const length = far(tiles);
  const [there] = ways(tiles).good;
  await press(page, (there + { U: "D", D: "U", L: "R", R: "L" }[there]).repeat(detours));
  while (far(tiles) > 0) {
    const [way] = ways(tiles).good;
    await press(page, way);
    tiles = replay(tiles, 3, way);
  }
  await boardIs(page, tiles);
  return length + 2 * detours;
}

flow("best results are listed, kept and deleted", async ({ page, open }) => {
  await open("#3x3");
  const first = await solveByHand(page);
  const words = new RegExp(`Solved\\s+in ${first} moves?, 0:\\d\\d\\.\\d{3}$`);
  await strip(page).getByText(words).waitFor();
  const shown = /0:\d\d\.\d{3}/.exec(await strip(page).textContent())[0];
  await button(strip(page), "Best times").click();
  const row = dialog(page).locator("tbody tr");
  await row.first().waitFor();
  assert.equal(await row.locator("th").textContent(), "3x3: Blank last");
  assert.deepEqual(await row.locator("td").allTextContents(), [shown, `${first}`]);
  await page.keyboard.press("Escape");

  await button(strip(page), "New board").click();
  const second = await solveByHand(page, 40);
  await strip(page).getByText(/Solved/).waitFor();
  await page.reload();
  await stage(page).locator(".count").click();
  await row.first().waitFor();
  const [best, moves] = await row.locator("td").allTextContents();
  assert.deepEqual([best, Number(moves)], [shown, Math.min(first, second)]);

  page.once("dialog", (question) => question.dismiss());
  await button(dialog(page), "Delete all").click();
  assert.equal(await row.count(), 1);
  page.once("dialog", (question) => question.accept());
  await button(dialog(page), "Delete all").click();
  await dialog(page).getByText("No results yet.").waitFor();
});

flow("a better result is named after the solve", { viewport: phone }, async ({ page, open }) => {
  await page.addInitScript(
    (lists) => localStorage.setItem("sliding-tile.records", JSON.stringify(lists)),
    { "3x3 blank-last": { ms: 3_600_000, moves: 500 }, "3x3 own": ["damaged"] },
  );
  await open("#3x3");
  await solveByHand(page);
  await button(strip(page), "New best time").click();
  await dialog(page).locator("tbody tr.latest").waitFor();
  assert.equal(await dialog(page).locator("tbody tr").count(), 1);
});

flow("games with help or on entered boards do not count", async ({ page, open }) => {
  await open(almost);
  await solveByHand(page);
  await strip(page).getByText(/Solved\s+in 4 moves, 0:/).waitFor();
  await told(page, /Solved in 4 moves/);
  assert.equal(await button(strip(page), "Best times").count(), 0);

  await button(strip(page), "New board").click();
  await button(stage(page), "Hint").click();
  await strip(page).getByText(/moves? left/).waitFor();
  await solveByHand(page);
  await strip(page).getByText(/Solved\s+in \d+ moves?, with the solver's help/).waitFor();
  assert.equal(await button(strip(page), "Rate my game").count(), 0);
  await stage(page).locator(".count").click();
  await dialog(page).getByText("No results yet.").waitFor();
});

flow("the rating is one press after the solve", async ({ page, open }) => {
  await open(almost);
  await solveByHand(page);
  await button(strip(page), "Rate my game").click();
  await fold(page).getByText("Played optimally: 4 moves.").waitFor();
});

flow("inspection: the clock starts after 15 s, or at the first move", async ({ page, open }) => {
  await page.clock.install();
  await open("#4x4");
  await page.clock.runFor(3000);
  await fromMenu(page, "Settings");
  await page.getByRole("dialog").getByLabel("15 seconds to look at a new board").check();
  await page.keyboard.press("Escape");
  await button(page, "Shuffle").click();
  await page.clock.runFor(1000);
  assert.match(await time(page).textContent(), /^1[45] s$/);
  await page.clock.runFor(10_000);
  assert.match(await time(page).textContent(), /^[45] s$/);
  await page.clock.runFor(6000);
  assert.match(await time(page).textContent(), /^0:0[12]$/);

  await button(page, "Shuffle").click();
  await page.clock.runFor(1000);
  await press(page, "UDLR");
  await page.clock.runFor(2200);
  assert.match(await time(page).textContent(), /^0:0[123]$/);
  await movesAre(page, (await page.locator(".count b").textContent()).trim());
});
