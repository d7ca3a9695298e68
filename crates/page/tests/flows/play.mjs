// Moves of tiles and lines, by click, drag and keys. The page undoes, counts and announces them.
import assert from "node:assert/strict";
import { flow } from "../flow.mjs";
import { addressIs, board, boardIs, button, movesAre, solvable, stage, strip, tile, told } from "../page.mjs";
import { address, ordered, read, replay } from "../puzzle.mjs";

const start = read("5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13");

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
  const keys = [
    ["ArrowUp", "U"],
    ["ArrowRight", "R"],
    ["s", "D"],
    ["a", "L"],
    ["Shift+ArrowDown", "D"],
    ["d", "R"],
    ["w", "U"],
    ["Shift+ArrowLeft", "L3"],
  ];
  let now = start;
  for (const [key, moves] of keys) {
    await page.keyboard.press(key);
    // A line ends at the edge, so fewer tiles may move.
    const blank = now.indexOf(0);
    const most = key.startsWith("Shift+")
      ? moves[0] === "L"
        ? `L${3 - (blank % 4)}`
        : `D${Math.floor(blank / 4)}`
      : moves;
    now = /0$/.test(most) ? now : replay(now, 4, most);
    await boardIs(page, now, `after ${key}`);
  }
  await page.keyboard.press("u");
  await page.keyboard.press("Control+y");
  await boardIs(page, now, "taken back and made again");
  await page.keyboard.press("Control+z");
  assert.notDeepEqual(await board(page), now);
});

flow("solved by hand: time, moves, a word, a new board", async ({ page, open }) => {
  const goal = ordered(9);
  await open(address(replay(goal, 3, "DRRU"), 3));
  for (const key of ["ArrowDown", "ArrowLeft", "ArrowLeft", "ArrowUp"]) {
    await page.keyboard.press(key);
    await page.waitForTimeout(300);
  }
  await boardIs(page, goal);
  await strip(page)
    .getByText(/^\s*Solved\s+in 4\s+moves, 0:0[01]/)
    .waitFor();
  await told(page, /Solved in 4 moves/);
  await button(strip(page), "New board").click();
  await solvable(page);
  await movesAre(page, 0);
});

flow("a drag moves the line", { reducedMotion: "no-preference" }, async ({ page, open }) => {
  await open(address(start, 4));
  const box = await tile(page, 9).boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x - box.width / 3, y, { steps: 4 });
  await page.mouse.move(x - box.width * 0.8, y, { steps: 4 });
  await page.mouse.up();
  await boardIs(page, replay(start, 4, "L2"));
  await movesAre(page, 2);

  // A cancelled drag changes nothing.
  const other = await tile(page, 12).boundingBox();
  const [x2, y2] = [other.x + other.width / 2, other.y + other.height / 2];
  await page.mouse.move(x2, y2);
  await page.mouse.down();
  await page.mouse.move(x2 + other.width * 0.6, y2, { steps: 4 });
  await page.mouse.move(x2 + 2, y2, { steps: 4 });
  await page.mouse.up();
  await boardIs(page, replay(start, 4, "L2"));
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
