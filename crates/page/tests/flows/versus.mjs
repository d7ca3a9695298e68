// Textbook searches on the page's board: with all heuristics, with two, and with a chosen one.
import assert from "node:assert/strict";
import { flow } from "../flow.mjs";
import {
  answer,
  boardIs,
  button,
  chooseMode,
  copyMoves,
  fold,
  lengthOf,
  openPanel,
  told,
} from "../page.mjs";
import { address, count, manhattan, ordered, random, read, replay } from "../puzzle.mjs";

/** One of the two 3x3 boards that need 31 moves. */
const far = read("8 6 7/2 5 4/3 0 1");

/** Opens the comparison in the Solve panel. */
async function compare(page) {
  const panel = await openPanel(page, "Solve");
  await button(panel, "Compare heuristics on this board").click();
  await panel.getByRole("group", { name: "What to compare" }).waitFor();
  return panel;
}

const number = (text) => Number(/[\d,.]+/.exec(text)[0].replaceAll(",", ""));

flow("which heuristic takes the most nodes on the 31-move board", async ({ page, open }) => {
  await open(address(far, 3));
  const panel = await compare(page);
  await panel.getByRole("combobox", { name: "Time limit per search" }).selectOption("5");
  await button(panel, "Run").click();
  await button(panel, "Run again").waitFor({ timeout: 40_000 });
  // The search with Zero generates 254 million nodes; a slow machine reaches the time limit first.
  const first = /^Most nodes: Zero, (254,\d{3},\d{3}|at least [\d,]+) nodes\./;
  await panel.getByText(first).waitFor();

  const list = panel.getByRole("list", { name: "Nodes by heuristic, the most first" });
  const names = await list.locator(".name").allTextContents();
  const order = ["Zero", "Misplaced tiles", "Manhattan distance", "Linear conflict"];
  assert.deepEqual(
    names.filter((name) => order.includes(name)),
    order,
    "the most nodes first",
  );
  for (const detail of (await list.locator(".detail").allTextContents()).slice(1)) {
    assert.match(detail, /h \d+ · 31 moves/, "all paths are shortest ones");
  }
  const item = list.getByRole("listitem").filter({ hasText: "Manhattan distance" });
  assert.equal(
    number(await item.locator(".detail").textContent()),
    manhattan(far, ordered(9), 3),
  );
  await told(page, /Zero.* Fewest: Pattern database 8, \d+ nodes/);

  await button(list, "Play the path of Misplaced tiles").click();
  await button(panel, "Pause").first().click();
  assert.equal(await answer(page), "31 moves: no solution is shorter.");
  const moves = await copyMoves(page);
  assert.deepEqual(replay(far, 3, moves), ordered(9));
  assert.equal(count(moves), 31);
  await button(panel, "To the end").click();
  await boardIs(page, ordered(9));
  assert.ok(await button(panel, "Run again").isDisabled(), "the board is solved");
  const changed = panel.getByText(/The board has changed/);
  assert.equal(await changed.count(), 0, "the path is of this board");
  await page.keyboard.press("ArrowDown");
  await changed.waitFor();
  await panel.getByText("8 6 7/2 5 4/3 0 1", { exact: true }).waitFor();
  const method = panel.getByRole("combobox", { name: "Search", exact: true });
  await method.selectOption("astar");
  await panel.getByText("The search has changed: these are the results of IDA*.").waitFor();
});

flow("two heuristics side by side, iteration by iteration", async ({ page, open }) => {
  await open(address(far, 3));
  const panel = await compare(page);
  await panel.getByRole("radio", { name: "Two side by side" }).check({ force: true });
  await button(panel, "Run").click();
  await panel
    .getByText(/^Manhattan distance takes [\d.]+ times as many nodes as Linear conflict\.$/)
    .waitFor();
  const table = panel.getByRole("table", { name: "Both searches, iteration by iteration" });
  const rows = await table.locator("tbody").first().locator("tr").all();
  const h = manhattan(far, ordered(9), 3);
  assert.equal(number(await rows[0].locator("th").textContent()), h, "begins with h");
  assert.equal(rows.length, (31 - h) / 2 + 1, "bounds of the same parity");
  let sum = 0;
  for (const row of rows) sum += number(await row.locator("td").first().textContent());
  const whole = table.getByRole("row", { name: /^All nodes/ });
  assert.equal(sum, number(await whole.locator("td").first().textContent()));

  // Enters a heuristic by its name, and then an invalid name.
  const second = panel.getByRole("combobox", { name: "Second heuristic" });
  await second.selectOption({ label: "Other …" });
  const name = panel.getByRole("textbox", { name: "Name of a table or heuristic" });
  await name.fill("4-4");
  await name.press("Tab");
  await button(panel, "Run again").click();
  await panel.getByText(/takes [\d,.]+ times as many nodes as Pattern database 4-4\.$/).waitFor();
  await name.fill("nonsense");
  await name.press("Tab");
  await button(panel, "Run again").click();
  await table.getByText(/The heuristic .nonsense. is/).waitFor();
});

flow("long searches end at their limit, or are cancelled", async ({ page, open }) => {
  const start = random(4, 4, 3);
  await open(address(start, 4));
  const panel = await compare(page);
  await panel.getByRole("combobox", { name: "Time limit per search" }).selectOption("2");
  await panel.getByText("7 searches, at most 14.0 s in all.").waitFor();
  await button(panel, "Run").click();
  await panel.getByText(/^[1-6] of 7 searches are finished\.$/).waitFor();
  await panel.getByText(/^at least [\d,]+ nodes$/).first().waitFor();
  await button(panel, "Cancel").click();
  await panel.getByText(/^Stopped: \d of 7 searches are finished\.$/).waitFor();
  const list = panel.getByRole("list", { name: "Nodes by heuristic, the most first" });
  await list.getByText("cancelled").first().waitFor();
  assert.match(await list.locator(".detail").first().textContent(), /time limit/);
});

flow("solve with a chosen heuristic and search", async ({ page, open }) => {
  await open(address(far, 3));
  await openPanel(page, "Solve");
  await chooseMode(page, "Custom");
  const panel = fold(page);
  await panel.getByRole("combobox", { name: "Heuristic" }).selectOption("misplaced");
  await panel.getByText("Runs IDA* with Misplaced tiles.").waitFor();
  await button(panel, "Solve").click();
  assert.equal(await answer(page), "31 moves: no solution is shorter.");
  assert.match(
    await panel.locator(".status .detail").textContent(),
    /^IDA\* · Misplaced tiles · h 7 · [\d,]+ nodes · /,
  );
  assert.deepEqual(replay(far, 3, await copyMoves(page)), ordered(9));
  await panel.getByText(/^Iterations of IDA\*: \d+$/).click();
  const bounds = panel.locator("details tbody th");
  assert.equal(await bounds.last().textContent(), "31");

  await panel.getByRole("combobox", { name: "Search" }).selectOption("greedy");
  await button(panel, "Solve").click();
  const sentence = await answer(page);
  assert.match(sentence, /^\d+ moves; a shortest solution has at least 7\.$/);
  assert.equal(count(await copyMoves(page)), lengthOf(sentence));
});

flow("optimal 5x5: a solution first, a forecast of the proof", async ({ page, open }) => {
  const start = random(5, 5, 2);
  await open(address(start, 5));
  await openPanel(page, "Solve");
  await chooseMode(page, "Optimal");
  const panel = fold(page);
  await button(panel, "Solve").click();
  await panel.getByRole("listbox", { name: "Moves", exact: true }).waitFor();
  const live = (name) => panel.locator(".status dl div").filter({ hasText: name }).locator("dd");
  await panel
    .getByText(/^The bound \d+ needs (about .* more at this speed|longer than the forecast)\.$/)
    .waitFor({ timeout: 40_000 });
  await panel
    .getByText(/^Without a shorter solution, the proof takes (about|more than) .+\.$/)
    .waitFor();
  assert.ok(Number(await live("Best").textContent()) < 200);

  // The solution is played while the proof continues.
  await button(panel, "Play the best so far").click();
  await button(panel, "Pause").click();
  const nodes = await live("Nodes").first().textContent();
  await live("Nodes").first().filter({ hasNotText: nodes }).waitFor();
  await button(panel, "To the start").click();
  await button(panel, "Cancel").click();
  const sentence = await answer(page);
  assert.match(sentence, /^Stopped\. [\d,]+ moves; a shortest solution has at least \d+\.$/);
  const moves = await copyMoves(page);
  assert.equal(count(moves), lengthOf(sentence));
  assert.deepEqual(replay(start, 5, moves), ordered(25));
});

flow(
  "the comparison fits a narrow phone",
  { viewport: { width: 320, height: 640 }, touch: true },
  async ({ page, open }) => {
    await open(address(far, 3));
    const panel = await compare(page);
    await panel.getByRole("combobox", { name: "Time limit per search" }).selectOption("2");
    await button(panel, "Run").click();
    await button(panel, "Run again").waitFor({ timeout: 40_000 });
    const result = panel.locator(".versus .summary");
    const [content, summary] = await Promise.all(
      [panel.locator(".content"), result].map((each) => each.boundingBox()),
    );
    assert.ok(summary.y + summary.height <= content.y + content.height, "the result is in sight");
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 320, `${wide} pixels wide`);
    for (const play of await panel.getByRole("button", { name: /^Play the path/ }).all()) {
      const { width, height } = await play.boundingBox();
      assert.ok(width >= 44 && height >= 44, `${width}x${height}`);
    }
  },
);
