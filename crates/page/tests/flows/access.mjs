// Accessibility: announcements, focus, reading order, contrast and forced colours.
import assert from "node:assert/strict";
import { flow } from "../flow.mjs";
import { answer, boardIs, button, findings, fold, fromMenu, press } from "../page.mjs";
import { solvable, solve, stage, strip, tile, told } from "../page.mjs";
import { address, exchanged, known as start, read, replay } from "../puzzle.mjs";

flow("events are announced, and the focus follows", async ({ page, open }) => {
  await open(address(start, 4));
  await solvable(page);
  const live = page.locator("[data-announcer]");
  assert.equal(await live.getAttribute("aria-live"), "polite");
  await button(page.getByRole("navigation"), "Solve").focus();
  await page.keyboard.press("Enter");
  await answer(page);
  const words = "Solved: 55 moves: no solution is shorter.";
  await live.filter({ hasText: words }).waitFor({ state: "attached" });
  const inside = () => page.evaluate(() => document.activeElement.closest("#panel") !== null);
  assert.ok(await inside(), "the focus is in the panel that opened");
  await page.keyboard.press("Escape");
  await fold(page).waitFor({ state: "detached" });
  const lost = await page.evaluate(() => document.activeElement === document.body);
  assert.ok(!lost, "the focus goes back to what opened the panel");
});

flow("menus handle keys and focus", async ({ page, open }) => {
  await open(address(start, 4));
  const focused = () => page.evaluate(() => document.activeElement.textContent.trim());
  await button(page, "More").focus();
  await page.keyboard.press("Enter");
  await button(page, "Enter a board").and(page.locator(":focus")).waitFor();
  for (const key of ["ArrowDown", "ArrowDown", "ArrowUp"]) await page.keyboard.press(key);
  assert.equal(await focused(), "Enter moves");
  await boardIs(page, start, "no tile slides behind the menu");
  await page.keyboard.press("Escape");
  assert.ok(await button(page, "More").evaluate((each) => each === document.activeElement));
});

flow("screen readers read tiles by name, in reading order", async ({ page, open }) => {
  await open(address(start, 4));
  await page.keyboard.press("ArrowUp");
  await told(page, /^tile 11 up, blank row 4 column 2/);
  const order = await stage(page)
    .locator(".board")
    .evaluate((each) =>
      each
        .getAttribute("aria-owns")
        .split(" ")
        .map((id) => Number(document.getElementById(id).dataset.tile)),
    );
  assert.deepEqual(order, replay(start, 4, "U").filter(Boolean));
  await button(page, "Shuffle").click();
  await told(page, /^New 4x4 board/);
  await solve(page);
  await button(fold(page), "One move on").click();
  await told(page, /^Move 1 of \d+: tile \d+ (up|down|left|right)$/);
});

flow("the focus stays on the page when its button disappears", async ({ page, open }) => {
  await open(address(exchanged(start), 4));
  const isTile = () => page.evaluate(() => document.activeElement.matches("[data-tile]"));
  await strip(page).getByRole("button", { name: /^Swap/ }).press("Enter");
  await solvable(page);
  assert.ok(await isTile(), "after the swap");
  await button(page, "More").press("Enter");
  await button(page, "Arrange the board").press("Enter");
  await button(page, "Done").waitFor();
  assert.ok(await isTile(), "arranging");
  await button(page, "Done").press("Enter");
  await button(page, "Done").waitFor({ state: "detached" });
  assert.ok(await isTile(), "after arranging");
  await press(page, "UDU");
  await button(page, "Shuffle").press("Enter");
  await button(page, "Take it back").press("Enter");
  assert.ok(await isTile(), "after taking a game back");
  await button(page, "Picture").press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.locator(".thumbnails button").first().press("Enter");
  const crop = dialog.getByRole("button", { name: /^Crop: / });
  await crop.waitFor();
  assert.ok(await crop.evaluate((each) => each === document.activeElement), "cropping");
});

const light = { contrast: "more", colorScheme: "light" };
flow("more contrast in light colours, in all tabs", light, async ({ page, context, open, url }) => {
  await open(address(start, 4));
  const theme = (each) => each.evaluate(() => document.documentElement.dataset.theme);
  assert.equal(await theme(page), "contrast-light");
  assert.deepEqual(await findings(page), []);
  const other = await context.newPage();
  await other.goto(url);
  await fromMenu(other, "Settings");
  await other.getByLabel("High contrast").check();
  await page.waitForFunction(() => document.documentElement.dataset.theme === "contrast");
});

const forced = { forcedColors: "active" };
flow("forced colours: tiles at home have another border", forced, async ({ page, open }) => {
  await open(address(read("1 2 3/4 0 5/7 8 6"), 3));
  const style = (face) => getComputedStyle(face).borderTopStyle;
  const border = (number) => tile(page, number).locator(".face").evaluate(style);
  assert.deepEqual([await border(1), await border(5)], ["double", "solid"]);
});
