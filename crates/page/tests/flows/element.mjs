// The package's board element, as the page uses it.
import assert from "node:assert/strict";
import { flow } from "../flow.mjs";
import { board, boardIs, button, stage, tile, told } from "../page.mjs";
import { address, read, replay } from "../puzzle.mjs";

const start = read("5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13");

flow("tiles have names in the chosen language", async ({ page, open }) => {
  await open(address(start, 4));
  const label = (number) => page.locator(`[data-tile="${number}"]`).getAttribute("aria-label");
  assert.equal(await label(11), "tile 11, row 4 column 2, can move up");
  await button(page, "More").click();
  await button(page, "Settings").click();
  await page.getByLabel("Deutsch").check();
  await page.locator('[data-tile="5"][aria-label="Stein 5, Zeile 1 Spalte 1"]').waitFor();
  assert.equal(await label(11), "Stein 11, Zeile 4 Spalte 2, kann nach oben");
});

flow("a key moves one tile once, whether the board or the page has the focus", async (it) => {
  const { page, open } = it;
  await open(address(start, 4));
  await tile(page, 11).focus();
  await page.keyboard.press("ArrowUp");
  await boardIs(page, replay(start, 4, "U"), "the board has the focus");
  await told(page, /^tile 11 up/);
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("ArrowUp");
  await boardIs(page, replay(start, 4, "U"), "no tile is below the blank");
  await page.keyboard.press("ArrowDown");
  await boardIs(page, start, "the page has the focus");
});

flow("a tile dragged back stays, and one dragged far enough moves", async (it) => {
  const { page, open } = it;
  await open(address(start, 4));
  const drag = async (...ways) => {
    const { x, y, width, height } = await tile(page, 11).boundingBox();
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    for (const way of ways) {
      await page.mouse.move(x + width / 2, y + height * (0.5 - way), { steps: 4 });
    }
    await page.waitForTimeout(300);
    assert.equal(await board(page).then((tiles) => tiles === null), ways.at(-1) > 0.1);
    await page.mouse.up();
  };
  await drag(0.7, 0.02);
  await boardIs(page, start, "dragged back");
  await drag(0.7);
  await boardIs(page, replay(start, 4, "U"), "dragged on");
});

flow("the goal's small board is an image without tiles to press", async ({ page, open }) => {
  await open(address(start, 4));
  const goal = page.getByRole("img", { name: /^Goal: / }).first();
  await goal.waitFor({ state: "attached" });
  assert.equal(await goal.locator("button").count(), 0);
  assert.equal(await stage(page).locator("[data-tile]").count(), 15);
});
