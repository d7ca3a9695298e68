// Boards are shuffled, resized, entered, edited and checked.
import assert from "node:assert/strict";
import { flow } from "../flow.mjs";
import { addressIs, board, boardIs, button, clipboard, fold, fromMenu, movesAre } from "../page.mjs";
import { openPanel, press, solvable, strip, tile } from "../page.mjs";
import { address, hard, isSolvable, ordered, read, replay, write } from "../puzzle.mjs";

flow("shuffles: any solvable board, or some random moves", async ({ page, open }) => {
  await open("#4x4");
  await solvable(page);
  const seen = new Set();
  for (let i = 0; i < 5; i++) {
    await button(page, "Shuffle").click();
    const tiles = await board(page);
    assert.ok(isSolvable(tiles, ordered(16), 4), write(tiles, 4));
    seen.add(tiles.join());
  }
  assert.ok(seen.size >= 4, "they differ");

  await button(page, "Kinds of shuffle").click();
  await page.getByLabel("Random moves from the goal").fill("2");
  await button(page, "Shuffle by moves").click();
  const near = await board(page);
  const reached = ["DD", "DR", "RD", "RR"].map((moves) => replay(ordered(16), 4, moves).join());
  assert.ok(reached.includes(near.join()), `${write(near, 4)} is two moves from the goal`);
});

flow("sizes from 2x2 to 20x20", async ({ page, open }) => {
  await open("#3x3");
  for (const [columns, rows] of [
    [2, 2],
    [7, 3],
    [20, 20],
  ]) {
    await page.getByRole("button", { name: /^Size: / }).click();
    await page.getByLabel("Columns").fill(String(columns));
    await page.getByLabel("Rows").fill(String(rows));
    await button(page, "Use").click();
    await page.getByRole("application", { name: `${columns}x${rows} board` }).waitFor();
    const tiles = await board(page);
    assert.equal(tiles.length, columns * rows);
    assert.ok(isSolvable(tiles, ordered(columns * rows), columns));
    await addressIs(page, tiles);
    // The whole board is visible.
    const tray = await page.locator(".tray").first().boundingBox();
    assert.ok(tray.y >= 0 && tray.y + tray.height <= 900, "in sight");
  }
  const tiles = await board(page);
  const next = tiles.indexOf(0) % 20 ? "R" : "L";
  await press(page, next);
  await boardIs(page, replay(tiles, 20, next));
});

flow("a board in any notation; invalid input is explained", async ({ page, open }) => {
  await open("#4x4");
  const texts = [
    ["8 6 7\n2 5 4\n3 0 1", "8 6 7/2 5 4/3 0 1"],
    ["+--+--+\n| 3| 1|\n+--+--+\n| 2|  |\n+--+--+", "3 1/2 0"],
    [read(hard).join(","), hard],
  ];
  const enter = async () => {
    await fromMenu(page, "Enter a board");
    return page.getByRole("dialog", { name: "Enter a board" });
  };
  for (const [text, expected] of texts) {
    const dialog = await enter();
    await dialog.getByRole("textbox").fill(text);
    await button(dialog, "Play this board").click();
    await boardIs(page, read(expected), text);
  }
  const dialog = await enter();
  await page.keyboard.type("1 2");
  assert.equal(await dialog.getByRole("textbox").inputValue(), "1 2", "typing replaces the text");
  for (const [text, words] of [
    ["1 2 3/4 5/6 7 0", /row 2 has 2 numbers/i],
    ["hello", /hello/],
    ["0 2 3 4 5 6 7 8 9 10 11 12 14 15 1", /13 is missing/],
  ]) {
    await dialog.getByRole("textbox").fill(text);
    await dialog.locator(".message").filter({ hasText: words }).waitFor();
    assert.ok(await button(dialog, "Play this board").isDisabled(), `"${text}" is not played`);
  }
  await button(dialog, "Play this board").focus();
  await dialog.locator(".pad .box").last().click();
  assert.ok(await dialog.getByRole("textbox").evaluate((field) => field.matches(":focus")));
  await dialog.getByRole("textbox").fill("1 2 3/4 5 6/7 8");
  await dialog.getByText("is read as the blank").waitFor();
  await page.keyboard.press("Escape");
  await boardIs(page, read(hard), "the board is as it was");
});

flow("not solvable: the reason, drawn, and the swap", async ({ page, open }) => {
  const bad = [...ordered(16)];
  [bad[13], bad[14]] = [15, 14];
  await open(address(bad, 4));
  await strip(page).getByText("This board cannot be solved").waitFor();
  await strip(page).getByText("Why?").click();
  await strip(page).getByText(/odd/).waitFor();
  await strip(page).getByText("Goals it can reach: Blank first.").waitFor();
  await openPanel(page, "Solve");
  assert.ok(await button(fold(page), "Solve").isDisabled(), "it is not searched");
  const swap = strip(page).getByRole("button", { name: /^Swap \d+ and \d+$/ });
  const [one, other] = (await swap.textContent()).match(/\d+/g).map(Number);
  for (const number of [one, other]) {
    await page.locator(`section[aria-label="Board"] [data-tile="${number}"].swap`).waitFor();
    assert.match(await tile(page, number).getAttribute("aria-label"), /to be swapped/);
  }
  const now = bad.map((number) => (number === one ? other : number === other ? one : number));
  await swap.click();
  await boardIs(page, now);
  assert.ok(isSolvable(now, ordered(16), 4), "the swap makes it solvable");
  await strip(page).getByText("This board cannot be solved").waitFor({ state: "detached" });
  assert.equal(await page.locator(".tile.swap").count(), 0, "the marks are gone");
});

flow("a board arranged by swaps, and copied as text", async ({ page, open }) => {
  await open(address(ordered(9), 3));
  await fromMenu(page, "Arrange the board");
  await tile(page, 1).click();
  await tile(page, 8).click();
  await tile(page, 2).dragTo(tile(page, 3));
  await button(page, "Done").click();
  const now = read("8 3 2/4 5 6/7 1 0");
  await boardIs(page, now);
  await movesAre(page, 0);
  await fromMenu(page, "Copy the board as text");
  assert.deepEqual(read(await clipboard(page)), now);
});
