// Boards with many tiles are magnified: with two fingers, the wheel, buttons and keys.
import assert from "node:assert/strict";
import { flow, phone } from "../flow.mjs";
import { boardIs, button, drag, movesAre, press, stage, tile, told } from "../page.mjs";
import { address, ordered, replay } from "../puzzle.mjs";

const start = replay(ordered(400), 20, "D3R2");
const options = { viewport: phone, touch: true, timeout: 180_000 };

const box = (page) => stage(page).locator(".tray").boundingBox();
/** The position of a point on the board, as fractions of its width and height. */
const shareAt = ({ x, y, width, height }, [toX, toY]) => [(toX - x) / width, (toY - y) / height];

flow("two fingers magnify the board around their midpoint", options, async (it) => {
  const { page, open } = it;
  await open(address(start, 20));
  const before = await box(page);
  assert.equal(await tile(page, 1).textContent(), "", "no numbers on tiles of 17 pixels");
  // The first finger is on a movable tile, and the second moves towards the blank.
  const blank = start.indexOf(0);
  const [column, row] = [blank % 20, Math.floor(blank / 20)];
  const cell = before.width / 20;
  const at = (x, y) => [before.x + (x + 0.5) * cell, before.y + (y + 0.5) * cell];
  const [one, other] = [at(column, row - 6), at(column, row - 2)];
  const middle = at(column, row - 4);
  const far = [one, [other[0], other[1] + 120]];
  const target = [middle[0], middle[1] + 60];
  const expected = shareAt(before, middle);
  await drag(page, [one, other], far, async () => {
    const drawn = await box(page);
    assert.ok(drawn.width > before.width * 2, "drawn larger while the fingers move");
    const share = shareAt(drawn, target);
    assert.ok(Math.abs(share[1] - expected[1]) < 0.02, `${share} and ${expected}`);
  });
  await page.waitForTimeout(100);
  const after = await box(page);
  const factor = (120 + other[1] - one[1]) / (other[1] - one[1]);
  assert.ok(Math.abs(after.width / before.width - factor) < 0.2, `${after.width / before.width}`);
  const share = shareAt(after, target);
  assert.ok(Math.abs(share[1] - expected[1]) < 0.03, `${share} and ${expected}`);
  await boardIs(page, start, "no tile moved");
  await movesAre(page, 0);
  assert.equal(await tile(page, start[blank - 20]).textContent(), String(start[blank - 20]));

  // A tap still moves a tile; the browser does not magnify the page.
  await tile(page, start[blank - 20]).tap();
  await boardIs(page, replay(start, 20, "D"));
  assert.equal(await page.evaluate(() => visualViewport.scale), 1);

  // Pinching in again shows the whole board.
  for (let count = 0; count < 2; count++) await drag(page, far, [one, other]);
  await page.waitForTimeout(100);
  assert.equal((await box(page)).width, before.width);
});

flow("buttons and keys magnify, and the blank stays visible", options, async ({ page, open }) => {
  await open(address(start, 20));
  const before = await box(page);
  await button(stage(page), "Magnify the board").tap();
  await told(page, /^Magnified to 150 %/);
  await tile(page, start[0]).focus();
  await page.keyboard.press("+");
  await told(page, /^Magnified to 225 %/);
  assert.ok((await box(page)).width > before.width * 2);

  const isSeen = (blank) =>
    stage(page).evaluate((section, blank) => {
      const view = section.querySelector(".view").getBoundingClientRect();
      const tray = section.querySelector(".tray").getBoundingClientRect();
      const middle = (at) => ((at + 0.5) * tray.width) / 20;
      const [left, top] = [tray.left + middle(blank % 20), tray.top + middle(blank / 20 | 0)];
      return left > view.left && left < view.right && top > view.top && top < view.bottom;
    }, blank);
  const blank = start.indexOf(0);
  assert.ok(await isSeen(blank), "after magnifying");
  await press(page, "D".repeat(16));
  await boardIs(page, replay(start, 20, "D16"));
  assert.ok(await isSeen(blank - 320), "after 16 moves up");
  await page.keyboard.press("0");
  await told(page, /^Magnified to 100 %/);
  assert.equal((await box(page)).width, before.width);
  const out = button(stage(page), "Show more of the board");
  assert.equal(await out.getAttribute("aria-disabled"), "true");
});

const mouse = { viewport: phone, timeout: 180_000 };
flow("the wheel with Ctrl magnifies at the pointer", mouse, async ({ page, open }) => {
  await open(address(start, 20));
  const before = await box(page);
  const at = [before.x + before.width * 0.25, before.y + before.height * 0.25];
  await page.mouse.move(...at);
  await page.keyboard.down("Control");
  for (let i = 0; i < 4; i++) await page.mouse.wheel(0, -60);
  await page.keyboard.up("Control");
  await page.waitForFunction(
    (width) => document.querySelector(".stage .tray").clientWidth > width * 2,
    before.width,
  );
  const share = shareAt(await box(page), at);
  // Until the board fills the height of its container, it is centred vertically, so the point under
  // the pointer moves. The vertical tolerance is therefore larger.
  assert.ok(Math.abs(share[0] - 0.25) < 0.02 && Math.abs(share[1] - 0.25) < 0.1, `${share}`);
});
