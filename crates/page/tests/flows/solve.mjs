// The page finds, proves and plays solutions, and follows a player who makes the moves. Independent
// code replays every move list.
import assert from "node:assert/strict";
import { flow } from "../flow.mjs";
import { answer, board, boardIs, button, chooseMode, copyLink, copyMoves, fold } from "../page.mjs";
import { lengthOf, movesAre, openPanel, press, solve, strip } from "../page.mjs";
import { address, count, distances, known, ordered } from "../puzzle.mjs";
import { possible, random, read, replay, replayNumbers } from "../puzzle.mjs";

/** Checks that the moves solve the board, and that the sentence states their number. */
async function assertSolves(page, start, columns, sentence) {
  const moves = await copyMoves(page);
  assert.equal(count(moves), lengthOf(sentence), "as many moves as it says");
  assert.deepEqual(replay(start, columns, moves), ordered(start.length), "they solve the board");
  return moves;
}

const moveList = (page) => fold(page).getByRole("listbox", { name: "Moves", exact: true });
const marked = (page) => moveList(page).getByRole("option", { selected: true });

flow("an optimal 4x4, step by step and in all notations", async ({ page, open }) => {
  await open(address(known, 4));
  const sentence = await solve(page);
  assert.equal(sentence, "55 moves: no solution is shorter.");
  const moves = await assertSolves(page, known, 4, sentence);

  const letters = moves.replace(/([UDLR])(\d+)/g, (_, way, n) => way.repeat(Number(n)));
  const numbers = await copyMoves(page, "numbers");
  assert.deepEqual(replayNumbers(known, 4, numbers), ordered(16), "the numbers lead there, too");
  const blank = await copyMoves(page, "blank");
  const swapped = { U: "D", D: "U", L: "R", R: "L" };
  const turned = blank.toUpperCase().replace(/[UDLR]/g, (way) => swapped[way]);
  assert.deepEqual(replay(known, 4, turned), ordered(16), "and the blank's ways");
  await fold(page).getByLabel("Moves as").selectOption("tile");

  for (let made = 1; made <= 4; made++) {
    await button(fold(page), "One move on").click();
    await boardIs(page, replay(known, 4, letters.slice(0, made)), `after ${made} moves`);
    const label = { U: "↑", D: "↓", L: "←", R: "→" }[letters[made]];
    assert.ok((await marked(page).textContent()).trim().endsWith(label), "the next move is marked");
    assert.equal(await marked(page).getAttribute("aria-posinset"), String(made + 1));
  }
  await button(fold(page), "One move back").click();
  await boardIs(page, replay(known, 4, letters.slice(0, 3)));
  await fold(page).getByRole("slider", { name: "Move", exact: true }).fill("30");
  await boardIs(page, replay(known, 4, letters.slice(0, 30)), "scrubbed to move 30");
  await moveList(page).getByRole("option").nth(20).click();
  await movesAre(page, Number(await marked(page).getAttribute("aria-posinset")) - 1);
  await button(fold(page), "To the start").click();
  await boardIs(page, known);

  // The next tile is marked on the board and named beside the number of moves.
  const hinted = page.locator(".tile.hint");
  assert.equal(Number(await hinted.getAttribute("data-tile")), Number(/\d+/.exec(numbers)[0]));
  const next = new RegExp(`^Next: tile ${/\d+/.exec(numbers)[0]} (up|down|left|right)$`);
  await fold(page).getByText(next).waitFor();
  await fold(page).getByRole("slider", { name: "Move", exact: true }).fill("53");
  await button(fold(page), "Play").click();
  await boardIs(page, ordered(16), "played to the end");
  await strip(page).getByText(/Solved\s+in 55\s+moves, with the solver/).waitFor();
});

flow("play and pause; a reload keeps the panel and the solution", async ({ page, open }) => {
  await open(address(known, 4));
  await solve(page);
  await button(fold(page), "Play").click();
  await page.waitForTimeout(1200);
  await button(fold(page), "Pause").click();
  const held = await board(page);
  const made = Number(await marked(page).getAttribute("aria-posinset")) - 1;
  assert.ok(made >= 2 && made <= 20, `${made} moves in about 1.2 s`);
  await page.waitForTimeout(300);
  assert.deepEqual(await board(page), held, "it stands still");
  await button(fold(page), "Close panel").click();
  await openPanel(page, "Solve");
  await page.waitForTimeout(300);
  assert.deepEqual(await board(page), held, "opening the panel does not play");
  await page.reload();
  await boardIs(page, held);
  await moveList(page).waitFor();
  assert.ok(await page.evaluate(() => document.activeElement === document.body));
  assert.equal(count(await copyMoves(page)), 55);
  await button(fold(page), "To the start").click();
  await boardIs(page, known);
});

flow("the player follows, leaves and comes back", async ({ page, open }) => {
  await open(address(known, 4));
  const moves = await assertSolves(page, known, 4, await solve(page));
  const [first, second] = moves.replace(/(\w)(\d+)/g, (_, way, n) => way.repeat(Number(n)));
  await page.locator("body").click({ position: { x: 5, y: 880 } });
  await press(page, first);
  assert.equal(await marked(page).getAttribute("aria-posinset"), "2", "it follows");
  // Another move that does not go back.
  const others = [second, { U: "D", D: "U", L: "R", R: "L" }[first]];
  const way = possible(replay(known, 4, first), 4).find((way) => !others.includes(way));
  await press(page, way);
  await fold(page).getByText(/Your way is (as short|\d+ longer)\./).waitFor();
  const sentence = await answer(page);
  const here = replay(known, 4, first + way);
  await boardIs(page, here);
  await assertSolves(page, here, 4, sentence);
  assert.ok([53, 55].includes(lengthOf(sentence)), "as short, or two longer");
  await button(fold(page), "To the end").click();
  await boardIs(page, ordered(16));
});

flow("all shortest solutions of a 3x3 are counted", async ({ page, open }) => {
  const start = read("8 6 7/2 5 4/3 0 1");
  const { distance, ways } = distances(ordered(9), 3).get(start.join(" "));
  await open(address(start, 3));
  await openPanel(page, "Solve");
  await fold(page).locator("button.options").click();
  await fold(page).getByRole("checkbox", { name: "Find all shortest solutions" }).check();
  await button(fold(page), "Solve").click();
  const sentence = await answer(page);
  assert.match(sentence, new RegExp(`^${distance} moves: no solution is shorter\\.`));
  assert.match(sentence, new RegExp(`There are ${ways} of them`));
  const choice = fold(page).getByRole("combobox", { name: /^Solution/ });
  assert.equal(await choice.locator("option").count(), ways);
  const seen = new Set();
  for (const index of [0, ways - 1]) {
    await choice.selectOption(String(index));
    const moves = await copyMoves(page);
    assert.deepEqual(replay(start, 3, moves), ordered(9));
    assert.equal(count(moves), distance);
    seen.add(moves);
  }
  assert.equal(seen.size, 2, "two different ones");
});

flow("lines of tiles as moves", async ({ page, open }) => {
  const start = read("8 6 7/2 5 4/3 0 1");
  const { distance } = distances(ordered(9), 3, { isMulti: true }).get(start.join(" "));
  await open(address(start, 3));
  await openPanel(page, "Solve");
  await chooseMode(page, "A line of tiles");
  await button(fold(page), "Solve").click();
  const sentence = await answer(page);
  assert.equal(lengthOf(sentence), distance);
  const moves = await copyMoves(page);
  assert.deepEqual(replay(start, 3, moves), ordered(9));
  assert.equal(moves.match(/[UDLR]\d*/g).length, distance);
});

flow("strategic 10x10, with its steps", async ({ page, open }) => {
  const start = random(10, 10, 1);
  await open(address(start, 10));
  // Large boards open with this mode.
  const began = Date.now();
  const sentence = await solve(page);
  assert.ok(Date.now() - began < 3000, "at once");
  await assertSolves(page, start, 10, sentence);
  await fold(page).getByText(/^\s*Step 1 of \d+/).waitFor();
  await fold(page).locator(".steps .head").click();
  const steps = fold(page).locator("#solution-steps li");
  const lengths = await steps.locator(".length").allTextContents();
  const sum = lengths.reduce((all, text) => all + Number(text.replaceAll(",", "")), 0);
  assert.equal(sum, lengthOf(sentence), "the steps are the whole of it");
  await button(fold(page), "To the end").click();
  await boardIs(page, ordered(100));
});

flow("anytime 5x5: live numbers, an end, a bound", async ({ page, open }) => {
  const start = random(5, 5, 2);
  await open(address(start, 5));
  await openPanel(page, "Solve");
  await chooseMode(page, "Shortest");
  await fold(page).getByText(/can take hours/).waitFor();
  await chooseMode(page, "Quick");
  await fold(page).getByRole("combobox", { name: /^Time/ }).selectOption("2");
  await button(fold(page), "Solve").click();
  const live = (name) =>
    fold(page).locator(".status dl div").filter({ hasText: name }).locator("dd");
  await live("Best").filter({ hasText: /^\d+$/ }).waitFor();
  await live("Nodes/s").filter({ hasText: /\d/ }).waitFor();
  await live("Bound").filter({ hasText: /^\d+$/ }).waitFor();
  const sentence = await answer(page);
  assert.match(sentence, /^\d+ moves(: no solution is shorter|; a shortest solution has at least \d+)\.$/);
  await assertSolves(page, start, 5, sentence);
  assert.ok(lengthOf(sentence) < 180, `${sentence} for a random 5x5`);
  await button(fold(page), "To the end").click();
  await boardIs(page, ordered(25));
});

flow("another board removes the solution", async ({ page, open }) => {
  await open(address(known, 4));
  await solve(page);
  await button(page, "Shuffle").click();
  await fold(page).getByText("Finds a shortest solution.").waitFor();
  assert.equal(await moveList(page).count(), 0);
  await button(page, "More").click();
  const link = await copyLink(page, button(page, "Share the board"));
  assert.deepEqual(read(/board=([^&]*)/.exec(link)[1]), await board(page));
});
