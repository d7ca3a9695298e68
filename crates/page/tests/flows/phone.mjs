// The page on a phone 360 pixels wide with touch, with large text, and at other widths.
import assert from "node:assert/strict";
import { desktop, flow, phone } from "../flow.mjs";
import { boardIs, button, choosePicture, fold, movesAre } from "../page.mjs";
import { openPanel, press, solve, solvable, stage, swipe, tile } from "../page.mjs";
import { address, known as start, ordered, replay } from "../puzzle.mjs";

const options = { viewport: phone, touch: true };

const middle = ({ x, y, width, height }) => [x + width / 2, y + height / 2];

/** Checks that nothing is wider than the screen, or than its dialog or panel. */
async function assertFits(page, where) {
  const wide = await page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll("dialog, #panel .content, .sheet")]
      .filter((each) => each.scrollWidth > each.clientWidth)
      .map((each) => `${each.tagName} ${each.scrollWidth} of ${each.clientWidth} pixels`),
  );
  assert.deepEqual(wide, [], where);
}

const landscape = { viewport: { width: 844, height: 390 }, touch: true };
flow("in landscape the board has the height", landscape, async ({ page, open }) => {
  await open(address(start, 4));
  assert.ok((await stage(page).locator(".tray").boundingBox()).height > 300);
});

flow("tap, drag, solve and play", options, async ({ page, open }) => {
  await open(address(start, 4));
  await assertFits(page, "the board");
  const tray = await stage(page).locator(".tray").boundingBox();
  assert.ok(tray.width > 300, `the board has the width: ${tray.width}`);

  await tile(page, 3).tap();
  await boardIs(page, replay(start, 4, "D"));
  const box = await tile(page, 10).boundingBox();
  const [x, y] = middle(box);
  await swipe(page, [x, y], [x, y + box.height * 0.8]);
  await boardIs(page, replay(start, 4, "D2"), "dragged by a finger");
  const next = replay(start, 4, "D2");
  const far = next[3];
  const last = await tile(page, far).boundingBox();
  await swipe(page, middle(last), [middle(last)[0] - last.width * 0.8, middle(last)[1]]);
  await boardIs(page, replay(next, 4, "L2"), "a line dragged by a finger");
  await movesAre(page, 4);

  await solve(page);
  await assertFits(page, "the solution");
  const shown = await stage(page).locator(".tray").boundingBox();
  assert.ok(shown.width >= 150 && shown.y >= 0, `the board stays in sight: ${shown.width} pixels`);
  const panel = await fold(page).boundingBox();
  assert.ok(shown.y + shown.height <= panel.y + 1, "the panel is not over the board");
  await button(fold(page), "To the end").tap();
  await boardIs(page, ordered(16));
});

for (const viewport of [phone, desktop]) {
  const name = `${viewport.width} pixels: the moves are in sight with the next one`;
  flow(name, { viewport }, async ({ page, open }) => {
    await open(address(start, 4));
    await solve(page);
    const content = await fold(page).locator(".content").boundingBox();
    const next = fold(page).getByText(/^Next: tile \d+/);
    for (const part of [next, fold(page).getByRole("option").first()]) {
      const { y, height } = await part.boundingBox();
      assert.ok(y + height <= content.y + content.height, `${await part.textContent()} is in sight`);
    }
    // Words for screen readers do not make the page longer.
    const long = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
    assert.equal(long, 0);
  });
}

flow("a solved board: the sentence, its buttons and a clock of one width", options, async (it) => {
  const { page, open } = it;
  await open(address(replay(ordered(16), 4, "DR"), 4));
  const undo = () => button(stage(page), "Undo").boundingBox();
  const before = await undo();
  await press(page, "LU");
  await boardIs(page, ordered(16));
  assert.equal((await undo()).x, before.x, "the buttons beside the clock stay");

  const assertRow = async (where) => {
    const parts = [".tray", ".count"].map((part) => stage(page).locator(part));
    const buttons = ["Rate my game", "New board"].map((name) => button(stage(page), name));
    const boxes = [...buttons, ...parts].map((each) => each.boundingBox());
    const [rate, next, tray, count] = await Promise.all(boxes);
    assert.equal(rate.y, next.y, `one row of buttons, ${where}`);
    assert.ok(next.y + next.height <= tray.y, `over the board, ${where}`);
    assert.ok(tray.y + tray.height <= count.y + 1, `the board is above the count, ${where}`);
  };
  await assertRow("no panel");
  await openPanel(page, "Solve");
  await assertRow("a panel");
});

flow("a 20x20 on a phone", options, async ({ page, open }) => {
  await open("#20x20");
  await assertFits(page, "20x20");
  await choosePicture(page);
  assert.equal(await stage(page).locator(".tray .number").count(), 0, "no room for numbers");
  await solvable(page);
  await openPanel(page, "Solve");
  await fold(page).locator(".status").waitFor();
  await assertFits(page, "20x20 being solved");
});

flow("the goal is shown in the board's place, with every panel", options, async (it) => {
  const { page, open } = it;
  await page.setViewportSize({ width: 320, height: 640 });
  await open(address(start, 4));
  const show = button(stage(page), "Show the goal");
  const goal = stage(page).getByRole("img", { name: "Goal: Blank last" });
  for (const name of [null, "Solve", "Help", "Laboratory"]) {
    if (name) await openPanel(page, name);
    await show.tap();
    // Numbers appear once the browser has measured the board.
    await goal.locator(".face", { hasText: "15" }).waitFor();
    const { width, height } = await goal.locator(".face").first().boundingBox();
    assert.ok(width >= 24 && height >= 24, `${name}: cells of ${width} pixels`);
    assert.ok(!(await tile(page, 1).isVisible()), `${name}: the board is hidden`);
    await assertFits(page, name);
    await show.tap();
    await goal.waitFor({ state: "detached" });
  }
  await show.tap();
  const rows = await stage(page).locator(".goal-face li").allTextContents();
  assert.equal(rows[3], "13 14 15 blank", "rows for screen readers");
  await button(stage(page), "Back to the board").tap();
  assert.ok(await page.evaluate(() => document.activeElement.matches("[data-tile]")), "focus");
  await show.tap();
  await press(page, "U");
  await boardIs(page, replay(start, 4, "U"), "a move brings the board back");
  await goal.waitFor({ state: "detached" });
  await show.tap();
  await button(stage(page), "Change the goal").tap();
  await page.getByRole("dialog", { name: "The goal" }).waitFor();
});

flow("small and large text", options, async ({ page, open }) => {
  for (const [width, font] of [
    [320, 16],
    [360, 32],
  ]) {
    await page.setViewportSize({ width, height: 740 });
    await open(address(start, 4));
    await page.addStyleTag({ content: `:root { font-size: ${font}px }` });
    await assertFits(page, "the board");
    for (const name of ["Picture", "More", "Hint", "Show the goal"]) {
      await button(page, name).locator("visible=true").tap({ trial: true });
    }
    for (const name of ["Solve", "Help", "Laboratory"]) {
      const opener = button(page.getByRole("navigation", { name: "Panels" }), name);
      await opener.tap({ trial: true });
      const isCut = await opener.evaluate((each) => each.scrollWidth > each.clientWidth);
      assert.ok(!isCut, `${name} is whole`);
    }
    await solve(page);
    await assertFits(page, "the solution");
    await page.goto("about:blank");
  }
});

flow("the controls follow the board; on low screens they are two rows beside it", async (it) => {
  const { page, open } = it;
  await open(address(start, 4));
  for (const [width, height] of [
    [568, 320],
    [640, 400],
    [740, 360],
    [915, 412],
    [768, 1024],
    [1440, 2560],
    [2560, 1440],
  ]) {
    await page.setViewportSize({ width, height });
    await page.waitForTimeout(100);
    const where = `at ${width}x${height}`;
    const tray = await stage(page).locator(".tray").boundingBox();
    const [undo, redo, hint, solve] = await Promise.all(
      ["Undo", "Redo", "Hint", "Solve"].map((name) => button(stage(page), name).boundingBox()),
    );
    assert.equal(undo.y, redo.y, where);
    assert.equal(hint.y, solve.y, where);
    assert.ok(solve.y + solve.height <= height, where);
    if (height > 560) assert.ok(solve.y - (tray.y + tray.height) < 40, where);
    else assert.ok(undo.x >= tray.x + tray.width && hint.y >= undo.y + undo.height, where);
  }
  for (const width of [1024, 1040, 1100, 1200, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const more = await button(page, "More").boundingBox();
    const panels = await page.getByRole("navigation", { name: "Panels" }).boundingBox();
    assert.ok(more.x + more.width <= panels.x, `the menus end before the panels: ${width}`);
  }
});
