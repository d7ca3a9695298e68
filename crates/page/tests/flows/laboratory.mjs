// The laboratory: values on the board, a comparison with plots, table and CSV.
import assert from "node:assert/strict";
import { flow } from "../flow.mjs";
import { button, copyLink, fold, goTo, openPanel, press, save, solvable } from "../page.mjs";
import { address, far3x3, known, ordered, read, replay } from "../puzzle.mjs";

const start = read("8 6 7/2 5 4/3 0 1");

flow("values of all heuristics, live, with their terms", async ({ page, open }) => {
  await open(address(start, 3));
  await solvable(page);
  const panel = await openPanel(page, "Laboratory");
  const bar = (name) => panel.locator(".list > li").filter({ hasText: name });
  const value = async (name) => Number(await bar(name).locator(".value").first().textContent());
  await bar("Manhattan distance").first().waitFor();
  assert.equal(await value("Manhattan distance"), 21);
  assert.equal(await value("Misplaced tiles"), 7);
  assert.ok((await value("Linear conflict")) >= 21);
  const truth = panel.locator(".truth");
  // If the tables are ready, the page finds the distance without the button.
  await truth.getByRole("button").click({ timeout: 1000 }).catch(() => {});
  await truth.locator(".value").filter({ hasText: String(far3x3(start)) }).waitFor();

  await bar("Linear conflict").getByRole("button").first().click();
  await panel.getByText(/2 for each tile that must leave its line/).waitFor();
  await page.locator("body").click({ position: { x: 5, y: 880 } });
  await press(page, "R");
  await bar("Manhattan distance").getByText("20", { exact: true }).first().waitFor();
});

flow("nodes of all heuristics; a hopeless search ends; the path is played", async (it) => {
  const { page, open } = it;
  await open(address(known, 4));
  const panel = await openPanel(page, "Laboratory");
  await button(panel, "Count nodes").click();
  const row = (name) => panel.locator(".list > li").filter({ hasText: name });
  await row("Zero").getByText(/^ended at [\d.,]+( M)? nodes/).waitFor({ timeout: 60_000 });
  const database = row("Pattern database 6-6-3");
  await database.getByText(/^[\d,]+ nodes · /).waitFor();
  await panel.getByLabel("Linear scale for nodes").check();
  assert.equal(await panel.locator(".truth .value").textContent(), "55", "found by the searches");
  await button(database, "Play the path of Pattern database 6-6-3").click();
  await page.waitForFunction(() => Number(document.querySelector(".count b").textContent) > 2);
  assert.equal(await panel.locator(".truth .value").textContent(), "55", "of the searched board");
  assert.match(await database.textContent(), /nodes/, "its nodes stay");
});

flow("a comparison: plots, table, CSV with true lengths", async ({ page, open }) => {
  await open(address(start, 3));
  const panel = await openPanel(page, "Laboratory");
  await panel.getByText("Many boards").click();
  await panel.getByLabel("Boards of each size").fill("12");
  await panel.getByText("48 searches").waitFor();
  await button(panel, "Run").click();
  await panel.getByText(/^48 searches in /).waitFor({ timeout: 30_000 });

  const plots = panel.locator("figure");
  await plots.last().waitFor();
  assert.ok((await plots.count()) >= 3, "plots of nodes, length and time");
  const titles = (await plots.getByRole("heading").allTextContents()).join(" | ");
  for (const word of [/node|generated|expanded/i, /length|move/i, /time/i]) {
    assert.match(titles, word);
  }
  for (const plot of await plots.all()) {
    const marks = plot.locator('.surface [data-series] [class*="series-"]');
    assert.ok((await marks.count()) > 0, "a plot has marks");
    const isCut = (each) => each.scrollHeight > each.clientHeight + 1;
    for (const legend of await plot.locator("ul").all()) {
      assert.ok(!(await legend.evaluate(isCut)), "the legend is whole");
    }
  }
  // The tooltip of a mark contains the mark's numbers; steps of a curve have no tooltip.
  for (const plot of await plots.filter({ hasNotText: "solved within a time" }).all()) {
    assert.match(await plot.locator(".surface [data-series] title").first().textContent(), /: \d/);
  }
  const nodes = plots.filter({ hasText: "nodes by length of the solution" });
  const series = nodes.locator('.surface [data-series="0"]').first();
  // Plots are redrawn until they contain all searches.
  await series.waitFor();
  await button(nodes, "A*, Misplaced tiles").click();
  await series.waitFor({ state: "hidden" });
  const svg = (await save(page, button(nodes, "Download this plot as SVG"))).bytes.toString();
  assert.match(svg, /^<svg [^>]*width="960"/);
  assert.match(svg, />3x3, random: nodes by length of the solution</);
  assert.match(svg, />A\*, Misplaced tiles</);

  assert.equal(await panel.locator("tbody th[scope=row]").count(), 4, "searches by heuristics");
  const { bytes } = await save(page, panel.getByRole("button", { name: /searches as CSV/ }));
  const [head, ...lines] = bytes.toString().trim().split(/\r?\n/);
  assert.equal(lines.length, 48);
  const names = head.split(",");
  for (const line of lines) {
    const cells = line.split(",").map((cell) => cell.replace(/^"|"$/g, ""));
    const field = (name) => cells[names.indexOf(name)];
    const board = read(field("board"));
    assert.equal(Number(field("length")), far3x3(board), line);
    assert.deepEqual(replay(board, 3, field("moves")), ordered(9), line);
  }
});

flow("the first comparison has the page's size; its searches end", async ({ page, open }) => {
  await open("#3x3");
  const panel = await openPanel(page, "Laboratory");
  await panel.getByText("Many boards").click();
  await panel.getByText("800 searches").waitFor();
  await goTo(page, "#4x4");
  await panel.getByText("320 searches").waitFor();
  await button(panel, "Run").click();
  await panel.getByText(/^320 searches in /).waitFor({ timeout: 60_000 });
  assert.equal(await panel.getByText(/of 20/).count(), 0, "no search ends at a limit");
});

flow("a link opens a comparison; ended searches have arrows", async ({ page, open }) => {
  await open("#4x4&compare=sizes:4x4~boards:walks~moves:60~number:20~heuristics:zero,misplaced");
  const panel = fold(page);
  await fold(page).getByText("Limits and more").click();
  await panel.getByLabel("Nodes per search").fill("2000");
  const link = await copyLink(page, button(panel, "Link"));
  await page.goto("about:blank");
  await page.goto(link);
  await panel.getByText("40 searches").waitFor();
  await button(panel, "Run").click();
  await panel.getByText(/^40 searches in /).waitFor({ timeout: 30_000 });
  const plot = panel.locator("figure").filter({ hasText: "60 moves: time" });
  await plot.getByText("A*, Zero (20 of 20 at a limit)", { exact: true }).waitFor();
  // A cap and an arrow, without a box: nothing but the least time is known.
  assert.equal(await plot.locator('[data-series="0"] path.series-0:not(.fill)').count(), 4);
  const cut = await plot.locator(".surface svg").evaluate((svg) => {
    const { left, right } = svg.getBoundingClientRect();
    const sides = [...svg.querySelectorAll("text")].map((each) => each.getBoundingClientRect());
    return sides.filter((each) => each.left < left - 1 || each.right > right + 1).length;
  });
  assert.equal(cut, 0, "labels are whole");

  // Without lengths of shortest solutions, only boards that no search solved are left out.
  await goTo(page, "#4x4&compare=heuristics:manhattan~searches:greedy~seed:2");
  await panel.getByText("20 searches", { exact: true }).waitFor();
  await button(panel, "Run").click();
  await panel.getByText(/^20 searches in /).waitFor({ timeout: 30_000 });
  await panel.getByText(/^Boards of unknown length are left out: 1?\d of 20\.$/).waitFor();
});

flow("a comparison is cancelled; invalid input is explained", async ({ page, open }) => {
  await open(address(start, 3));
  const panel = await openPanel(page, "Laboratory");
  await panel.getByText("Many boards").click();
  for (const count of [600, 800]) {
    await panel.getByRole("checkbox", { name: "Manhattan distance" }).click();
    await panel.getByText(`${count} searches`).waitFor();
  }
  await panel.getByLabel("Boards of each size").fill("2000");
  await button(panel, "Run").click();
  await panel.getByText(/^\s*[1-9][\d,]* of 8,000 searches/).waitFor();
  await button(panel, "Cancel").click();
  await panel.getByText(/Stopped after [\d,]+ of 8,000 searches; their results stay/).waitFor();
  await panel.locator("figure").first().waitFor();

  await panel.getByLabel("Boards of each size").fill("0");
  await fold(page).getByText("Limits and more").click();
  const said = panel.locator("form [role=status]");
  assert.notEqual((await said.textContent()).trim(), "");
  await panel.getByLabel("Boards of each size").fill("5");
  await panel.getByLabel(/More pattern databases/).fill("manhattan+5-5-5");
  await page.keyboard.press("Tab");
  await said.filter({ hasText: /^\s*The parts of 5-5-5 have 15 tiles/ }).waitFor();
  await button(panel, "Run").click();
  await panel.getByRole("alert").filter({ hasText: /5-5-5/ }).waitFor();
  assert.ok(await panel.locator("figure").count(), "the results before stay");
});
