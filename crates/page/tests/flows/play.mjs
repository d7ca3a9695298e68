// Moves of tiles and lines, by click, drag and keys. The page undoes, counts and announces them.
import assert from "node:assert/strict";
import { flow } from "../flow.mjs";
import { addressIs, board, boardIs, button, fromMenu, movesAre, press } from "../page.mjs";
import { stage, tile, told } from "../page.mjs";
import { address, known as start, replay } from "../puzzle.mjs";

flow("a click slides a tile, or the whole line, and moves are counted", async ({ page, open }) => {
  await open(address(start, 4));
  await boardIs(page, start);
  await movesAre(page, 0);

  await tile(page, 3).click();
  let now = replay(start, 4, "D");
  await boardIs(page, now, "a tile slides into the blank");
  await movesAre(page, 1);
  await told(page, /tile 3 down, blank row 2 column 2/);

  await tile(page, 1).click();
  now = replay(now, 4, "L2");
  await boardIs(page, now, "two tiles of the row slide");
  await movesAre(page, 3);

  await tile(page, 15).click();
  await boardIs(page, now, "a tile beside neither row nor column stays");
  await movesAre(page, 3);
  await addressIs(page, now);

  await button(stage(page), "Undo").click();
  await boardIs(page, replay(start, 4, "D"), "the line is taken back as one");
  await movesAre(page, 1);
  await button(stage(page), "Redo").click();
  await boardIs(page, now);
  for (let left = 2; left > 0; left--) await button(stage(page), "Undo").click();
  await boardIs(page, start, "all taken back");
  await movesAre(page, 0);
  assert.ok(await button(stage(page), "Undo").isDisabled(), "nothing is left to take back");
});

flow("arrows, letters and Shift play; U undoes", async ({ page, open }) => {
  await open(address(start, 4));
  let now = start;
  for (const [key, moves] of [
    ["ArrowUp", "U"],
    ["ArrowRight", "R"],
    ["s", "D"],
    ["a", "L"],
    ["Shift+ArrowDown", "D2"],
    ["d", "R"],
    ["w", "U"],
    ["Shift+ArrowLeft", "L3"],
  ]) {
    await page.keyboard.press(key);
    now = replay(now, 4, moves);
    await boardIs(page, now, `after ${key}`);
  }
  await page.keyboard.press("u");
  await page.keyboard.press("Control+y");
  await boardIs(page, now, "taken back and made again");
  await page.keyboard.press("Control+z");
  assert.notDeepEqual(await board(page), now);
});

flow("a drag moves the line", { reducedMotion: "no-preference" }, async ({ page, open }) => {
  await open(address(start, 4));
  /** Drags a tile to the right by shares of its width, one after the other. */
  const drag = async (number, ...shares) => {
    const { x, y, width, height } = await tile(page, number).boundingBox();
    const at = (share) => [x + width * (share + 0.5), y + height / 2];
    const move = (share) => page.mouse.move(...at(share), { steps: 4 });
    await move(0);
    await page.mouse.down();
    for (const share of shares) await move(share);
    await page.mouse.up();
  };
  await drag(9, -0.3, -0.8);
  await boardIs(page, replay(start, 4, "L2"));
  await movesAre(page, 2);
  await drag(12, 0.6, 0.02);
  await boardIs(page, replay(start, 4, "L2"), "a tile dragged back stays");
});

flow("the keyboard alone: Tab to the board, focus from tile to tile", async ({ page, open }) => {
  await open(address(start, 4));
  const focused = () => page.evaluate(() => Number(document.activeElement.dataset.tile ?? -1));
  for (let i = 0; i < 25 && (await focused()) < 0; i++) await page.keyboard.press("Tab");
  assert.equal(await focused(), 5, "Tab reaches the first tile");
  await page.keyboard.press("Control+ArrowDown");
  await page.keyboard.press("Control+ArrowDown");
  assert.equal(await focused(), 15, "Ctrl and arrows move the focus");
  const label = await tile(page, 15).getAttribute("aria-label");
  assert.equal(label, "tile 15, row 3 column 1, can move right");
  await page.keyboard.press("Enter");
  await boardIs(page, replay(start, 4, "R"));
  assert.equal(await focused(), 15, "the focus stays with the tile");
  await page.keyboard.press("Tab");
  assert.equal(await focused(), -1, "the board is one stop");
});

flow("a key moves one tile once, whether the board or the page has the focus", async (it) => {
  const { page, open } = it;
  await open(address(start, 4));
  await tile(page, 11).focus();
  await press(page, "U");
  await boardIs(page, replay(start, 4, "U"), "the board has the focus");
  await page.evaluate(() => document.activeElement.blur());
  await press(page, "U");
  await boardIs(page, replay(start, 4, "U"), "no tile is below the blank");
  await press(page, "D");
  await boardIs(page, start, "the page has the focus");
});

flow("tiles have names in the chosen language; the goal is an image", async ({ page, open }) => {
  await open(address(start, 4));
  const label = () => tile(page, 11).getAttribute("aria-label");
  assert.equal(await label(), "tile 11, row 4 column 2, can move up");
  const goal = page.getByRole("img", { name: /^Goal: / }).first();
  await goal.waitFor({ state: "attached" });
  assert.equal(await goal.locator("button").count(), 0, "no tiles to press");
  await fromMenu(page, "Settings");
  await page.getByLabel("Deutsch").check();
  await page.locator('[data-tile="5"][aria-label="Stein 5, Zeile 1 Spalte 1"]').waitFor();
  const german = await page.locator('[data-tile="11"]').first().getAttribute("aria-label");
  assert.equal(german, "Stein 11, Zeile 4 Spalte 2, kann nach oben");
});
