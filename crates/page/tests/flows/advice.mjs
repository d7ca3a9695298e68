// Hints, and ratings of games, compared with distances computed here.
import assert from "node:assert/strict";
import { flow } from "../flow.mjs";
import { board, boardIs, button, goTo, openPanel, press, solvable, stage } from "../page.mjs";
import { strip, told } from "../page.mjs";
import { address, far3x3 as far, ordered, read, replay, ways } from "../puzzle.mjs";

const start = read("7 2 4/5 0 6/8 3 1");
const words = { U: "up", D: "down", L: "left", R: "right" };

/** The tiles that lead closer to the goal, each with the letter of its move. */
const movers = (tiles) =>
  ways(tiles).good.map((way) => `${replay(tiles, 3, way)[tiles.indexOf(0)]} ${way}`);

flow("a hint: one press marks the tile and says the way", async ({ page, open }) => {
  await open(address(start, 3));
  await button(stage(page), "Hint").click();
  const said = strip(page).getByText(`; ${far(start)} moves left.`);
  await said.waitFor();
  const [sentence, number, word] = /Tile (\d+) (\w+);.*/.exec(await said.textContent());
  await told(page, sentence);
  const way = Object.keys(words).find((each) => words[each] === word);
  assert.ok(movers(start).includes(`${number} ${way}`), sentence);
  const hinted = page.locator(".tile.hint");
  assert.equal(await hinted.getAttribute("data-tile"), number);
  assert.match(await hinted.getAttribute("aria-label"), /hint/);
  const solving = await openPanel(page, "Solve");
  await solving.getByText(/Next: /).waitFor();
  await page.keyboard.press("Escape");
  assert.equal(await hinted.getAttribute("data-tile"), number, "the mark stays");
  await press(page, way);
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
    await hinted.first().waitFor();
    const [number] = await hinted.allTextContents();
    const way = /\b[UDLR]\b/.exec(await hinted.first().getAttribute("class"))[0];
    assert.ok(movers(now).includes(`${number.trim()} ${way}`), `${number} ${way}`);
    now = replay(now, 3, way);
    await press(page, way);
    await boardIs(page, now);
    await strip(page).getByText(`; ${far(now)} moves left.`).waitFor();
  }
  await panel.getByLabel("Always show the next move").uncheck();
  await press(page, ways(now).good[0]);
  await page.waitForTimeout(500);
  assert.equal(await hinted.count(), 0, "no longer");
});

flow("the game is rated move by move", async ({ page, open }) => {
  await open(address(start, 3));
  await solvable(page);
  let now = start;
  const lost = [];
  for (let number = 1; number <= 8; number++) {
    const { good, bad } = ways(now);
    const isBad = bad.length > 0 && (number === 3 || number === 6);
    if (isBad) lost.push(number);
    const way = isBad ? bad[0] : good[0];
    now = replay(now, 3, way);
    await press(page, way);
    await boardIs(page, now);
  }
  assert.ok(lost.length > 0);
  const panel = await openPanel(page, "Help");
  await button(panel, "Rate my game").click();
  const cost = `the others cost ${2 * lost.length} moves more.`;
  await panel.getByText(`${8 - lost.length} of 8 moves were best; ${cost}`).waitFor();
  const listed = panel.getByTitle("Show the board before this move");
  const numbers = await listed.locator(".number").allTextContents();
  assert.deepEqual(numbers.map((text) => Number(/\d+/.exec(text)[0])), lost);
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
  await goTo(page, address(read("2 1 3/4 5 6/0 7 8"), 3));
  await panel.getByText("This board has no solution.").first().waitFor();
  assert.equal(await button(panel, "Hint").getAttribute("aria-disabled"), "true");
  await button(panel, "Show me how").click();
  await panel.getByText("This board has no solution. Swap two tiles first.").waitFor();
  await strip(page).getByRole("button", { name: /^Swap/ }).click();
  await panel.locator("[data-step]").waitFor();
});

flow("a hint on a large board is bounded in time", async ({ page, open }) => {
  await open("#6x6");
  await solvable(page);
  await button(stage(page), "Hint").click();
  const words = strip(page).getByText(/^Tile \d+ \w+; (at most )?\d+ moves left/);
  await words.waitFor({ timeout: 12_000 });
});
