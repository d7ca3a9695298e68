// Hints, and ratings of games, compared with distances computed here.
import assert from "node:assert/strict";
import { flow } from "../flow.mjs";
import { board, boardIs, button, fold, openPanel, solvable, stage, strip, told } from "../page.mjs";
import { address, distances, ordered, read, replay } from "../puzzle.mjs";

const table = distances(ordered(9), 3);
const far = (tiles) => table.get(tiles.join(" ")).distance;
const start = read("7 2 4/5 0 6/8 3 1");
const keys = { U: "ArrowUp", D: "ArrowDown", L: "ArrowLeft", R: "ArrowRight" };

/** Sorts the possible directions into those that lead closer to the goal and those that do not. */
function ways(tiles) {
  const sorted = { good: [], bad: [] };
  for (const way of "UDLR") {
    try {
      const next = replay(tiles, 3, way);
      sorted[far(next) < far(tiles) ? "good" : "bad"].push(way);
    } catch {
      // The move leaves the tray.
    }
  }
  return sorted;
}

const words = { U: "up", D: "down", L: "left", R: "right" };

/** Waits for the hint above the board; returns its tile and way. */
async function hintFor(page, moves) {
  const said = strip(page).getByText(new RegExp(`^Tile \\d+ \\w+; ${moves} moves? left\\.$`));
  await said.waitFor();
  const [, number, word] = /Tile (\d+) (\w+);/.exec(await said.textContent());
  return { number: Number(number), word };
}

flow("a hint: one press marks the tile and says the way", async ({ page, open }) => {
  await open(address(start, 3));
  await button(stage(page), "Hint").click();
  const { number, word } = await hintFor(page, far(start));
  await told(page, `Tile ${number} ${word}; ${far(start)} moves left.`);
  const blank = start.indexOf(0);
  const good = ways(start).good.map((way) => `${replay(start, 3, way)[blank]} ${words[way]}`);
  assert.ok(good.includes(`${number} ${word}`), `${number} ${word} is one of ${good}`);
  const hinted = page.locator(".tile.hint");
  assert.equal(Number(await hinted.getAttribute("data-tile")), number);
  assert.match(await hinted.getAttribute("aria-label"), /hint/);
  const way = Object.keys(words).find((each) => words[each] === word);
  await page.keyboard.press(keys[way]);
  await boardIs(page, replay(start, 3, way));
  assert.equal(await hinted.count(), 0, "another board, no marks");
  assert.equal((await strip(page).textContent()).trim(), "", "and nothing told");
});

flow("the next move is always shown", async ({ page, open }) => {
  await open(address(start, 3));
  const panel = await openPanel(page, "Help");
  await panel.getByLabel("Always show the next move").check();
  const hinted = page.locator(".tile.hint");
  let now = start;
  for (let count = 0; count < 3; count++) {
    const { good } = ways(now);
    const movers = good.map((way) => `${replay(now, 3, way)[now.indexOf(0)]} ${way}`);
    await hinted.first().waitFor();
    const [number] = await hinted.allTextContents();
    const way = /\b[UDLR]\b/.exec(await hinted.first().getAttribute("class"))[0];
    assert.ok(movers.includes(`${number.trim()} ${way}`), `${number} ${way}, of ${movers}`);
    now = replay(now, 3, way);
    await page.keyboard.press(keys[way]);
    await boardIs(page, now);
    await hintFor(page, far(now));
  }
  await panel.getByLabel("Always show the next move").uncheck();
  await page.keyboard.press(keys[ways(now).good[0]]);
  await page.waitForTimeout(500);
  assert.equal(await hinted.count(), 0, "no longer");
});

flow("the game is rated move by move", async ({ page, open }) => {
  await open(address(start, 3));
  await solvable(page);
  let now = start;
  const lost = [];
  for (let i = 0; i < 8; i++) {
    const { good, bad } = ways(now);
    const isBad = bad.length > 0 && (i === 2 || i === 5);
    const way = isBad ? bad[0] : good[0];
    if (isBad) lost.push(i + 1);
    now = replay(now, 3, way);
    await page.keyboard.press(keys[way]);
    await boardIs(page, now);
  }
  assert.ok(lost.length > 0);
  const panel = await openPanel(page, "Help");
  await button(panel, "Rate my game").click();
  const kept = 8 - lost.length;
  const moves = `${2 * lost.length} moves`;
  await panel.getByText(`${kept} of 8 moves kept a shortest way; ${moves} lost.`).waitFor();
  const cell = (name) => panel.locator("dl div").filter({ hasText: name }).locator("dd");
  assert.equal((await cell("Shortest").textContent()).trim(), String(far(start)));
  assert.equal((await cell("Lost").textContent()).trim(), String(2 * lost.length));
  const efficiency = Math.round((100 * far(start)) / (8 + far(now)));
  assert.equal((await cell("Efficiency").textContent()).trim(), `${efficiency} %`);

  const listed = panel.getByTitle("Show the board before this move");
  assert.equal(await listed.count(), lost.length);
  const numbers = await listed.locator(".number").allTextContents();
  assert.deepEqual(
    numbers.map((text) => Number(/\d+/.exec(text)[0])),
    lost,
  );
  await listed.first().click();
  const there = await board(page);
  assert.ok(ways(there).bad.length > 0, "the board before the move that was lost");
  assert.equal(far(there), far(start) - (lost[0] - 1));
});

flow("nothing to advise: a goal, a board without a solution", async ({ page, open }) => {
  await open(address(ordered(9), 3));
  const panel = await openPanel(page, "Help");
  await panel.getByText("The board is solved.").waitFor();
  assert.ok(await button(panel, "Rate my game").isDisabled());
  await page.evaluate((hash) => (location.hash = hash), address(read("2 1 3/4 5 6/7 8 0"), 3));
  await panel.getByText("This board has no solution.").waitFor();
  assert.equal(await button(panel, "Hint").getAttribute("aria-disabled"), "true");
});

flow("a hint on a large board is bounded in time", async ({ page, open }) => {
  await open("#6x6");
  await solvable(page);
  await button(stage(page), "Hint").click();
  await strip(page)
    .getByText(/^Tile \d+ \w+; (at most )?\d+ moves left/)
    .waitFor({ timeout: 12_000 });
});
