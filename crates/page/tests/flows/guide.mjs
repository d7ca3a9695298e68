// The guide: steps in words for the player's own board. The player may complete them in any way.
import assert from "node:assert/strict";
import { flow } from "../flow.mjs";
import { board, boardIs, button, fold, fromMenu, openPanel, strip, told } from "../page.mjs";
import { address, ordered, read } from "../puzzle.mjs";

const start = read("8 11 0 12/10 9 7 5/1 2 3 6/15 13 4 14");
const keys = { up: "ArrowUp", down: "ArrowDown", left: "ArrowLeft", right: "ArrowRight" };
const step = (page) => fold(page).locator("[data-step]");
const section = (page) => fold(page).getByRole("region", { name: "Learn to solve it" });

flow("steps are done by the player, then by the guide", async ({ page, open }) => {
  await open(address(start, 4));
  await openPanel(page, "Help");
  await button(fold(page), "Show me how").click();
  const words = "Bring tile 1 to the top left corner (row 1 column 1).";
  await step(page).getByText(words).waitFor();
  await told(page, `Now: ${words}`);
  assert.deepEqual(await page.locator(".tile.hint").allTextContents(), ["1"]);
  await fold(page).getByText("How this works").click();
  await fold(page).getByText(/lead it around/).waitFor();

  // A detour changes the moves but not the step.
  await page.keyboard.press(keys.left);
  await button(fold(page), "Show the moves").click();
  const moves = section(page).locator(".moves li .hidden");
  await moves.first().waitFor();
  assert.ok(await step(page).getByText(words).isVisible());
  for (const text of await moves.allTextContents()) {
    await page.keyboard.press(keys[text.trim().split(" ").at(-1)]);
  }
  await step(page).getByText("Bring tile 2 to row 1 column 2.").waitFor();
  await told(page, "Done. Next: Bring tile 2 to row 1 column 2.");
  assert.equal((await board(page))[0], 1);

  const make = button(fold(page), "Make the moves");
  const done = fold(page).getByText("The board is solved, step by step.");
  for (let count = 0; count < 40 && !(await done.isVisible()); count++) {
    await make.or(done).first().click();
  }
  await boardIs(page, ordered(16));
  await strip(page).getByText(/with the solver's help/).waitFor();
  assert.equal(await page.locator(".tile.hint").count(), 0);
  await button(fold(page), "End the guide").click();
  const starter = button(fold(page), "Show me how");
  await starter.waitFor();
  assert.ok(await starter.evaluate((each) => each === document.activeElement), "keeps the focus");
});

flow("the last two tiles of a row, in parts; on after a reload", async ({ page, open }) => {
  // Only the last two tiles of row 1 are missing.
  await open(address(read("1 2 5 6/9 10 3 7/4 14 13 8/11 12 15 0"), 4));
  await fromMenu(page, "Learn to solve it");
  await step(page).getByText("Bring tiles 3 and 4 into the end of row 1.").waitFor();
  const parts = fold(page).locator(".parts li");
  await parts.last().getByText("Tiles 3 and 4 into the corner, one after the other.").waitFor();
  assert.equal(await parts.first().getAttribute("aria-current"), "step");
  assert.deepEqual((await page.locator(".tile.hint").allTextContents()).sort(), ["3", "4"]);
  await page.waitForTimeout(600);
  await page.reload();
  await step(page).getByText("Bring tiles 3 and 4 into the end of row 1.").waitFor();
  assert.equal(await page.locator(".tile.hint").count(), 2);
});
