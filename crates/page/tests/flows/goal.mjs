// The goal: presets, swapped tiles, any cell for the blank, and the current board as the goal.
import assert from "node:assert/strict";
import { flow } from "../flow.mjs";
import { board, boardIs, button, copyMoves, solvable, solve, stage, strip } from "../page.mjs";
import { address, count, distances, isSolvable, ordered, read, replay } from "../puzzle.mjs";

const editor = (page) => page.getByRole("dialog", { name: "The goal" });

async function openEditor(page) {
  await page.getByRole("button", { name: "Change the goal" }).locator("visible=true").click();
  await editor(page).waitFor();
}

const goalTiles = (page) =>
  editor(page).evaluate((dialog) => {
    const pieces = [...dialog.querySelectorAll("[data-tile]")];
    const columns = Number(dialog.querySelector(".tray").style.getPropertyValue("--columns"));
    const tiles = [];
    for (const piece of pieces) {
      const [x, y] = ["--x", "--y"].map((name) => Number(piece.style.getPropertyValue(name)));
      tiles[y * columns + x] = Number(piece.dataset.tile);
    }
    return tiles;
  });

const goalInAddress = (page) => {
  const found = /goal=([^&]*)/.exec(new URL(page.url()).hash);
  return found && read(found[1]);
};

flow("presets, and a board solved to one of them", async ({ page, open }) => {
  const start = read("8 6 7/2 5 4/3 0 1");
  await open(address(start, 3));
  await solvable(page);
  await openEditor(page);
  const presets = editor(page).locator(".presets .button");
  const expected = {
    first: read("0 1 2/3 4 5/6 7 8"),
    snake: read("1 2 3/6 5 4/7 8 0"),
    spiral: read("1 2 3/8 0 4/7 6 5"),
    column: read("1 4 7/2 5 8/3 6 0"),
  };
  for (const [word, goal] of Object.entries(expected)) {
    await presets.filter({ hasText: new RegExp(word, "i") }).click();
    assert.deepEqual(await goalTiles(page), goal, word);
  }
  await presets.filter({ hasText: /spiral/i }).click();
  const goal = expected.spiral;
  const isReached = isSolvable(start, goal, 3);
  await editor(page)
    .getByText(isReached ? "The board can reach this goal." : "The board cannot reach this goal.")
    .waitFor();
  await button(editor(page), "Use this goal").click();

  let now = start;
  if (!isReached) {
    const swap = strip(page).getByRole("button", { name: /^Swap/ });
    const [one, other] = (await swap.textContent()).match(/\d+/g).map(Number);
    now = start.map((tile) => (tile === one ? other : tile === other ? one : tile));
    await swap.click();
  }
  await boardIs(page, now);
  const { distance } = distances(goal, 3).get(now.join(" "));
  const sentence = await solve(page);
  assert.equal(sentence, `${distance} moves: no solution is shorter.`);
  const moves = await copyMoves(page);
  assert.equal(count(moves), distance);
  assert.deepEqual(replay(now, 3, moves), goal, "the moves lead to this goal");
  assert.deepEqual(goalInAddress(page), goal, "the goal is in the address");
  await page.reload();
  await boardIs(page, now);
  await page
    .getByRole("img", { name: /^Goal: .*spiral/i })
    .locator("visible=true")
    .waitFor();
});

flow("tiles and the blank swapped by click, by drag and by keys", async ({ page, open }) => {
  await open(address(ordered(9), 3));
  await openEditor(page);
  const piece = (number) => editor(page).locator(`[data-tile="${number}"]`);
  await piece(1).click();
  await piece(5).click();
  assert.deepEqual(await goalTiles(page), read("5 2 3/4 1 6/7 8 0"));
  await piece(2).dragTo(piece(0));
  assert.deepEqual(await goalTiles(page), read("5 0 3/4 1 6/7 8 2"));
  await piece(3).press("Enter");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  assert.deepEqual(await goalTiles(page), read("5 0 6/4 1 3/7 8 2"), "swapped by keys");
  await button(editor(page), "Use this goal").click();
  await page.getByRole("img", { name: "Goal: Own order" }).locator("visible=true").waitFor();

  await openEditor(page);
  await piece(1).click();
  await piece(4).click();
  await page.keyboard.press("Escape");
  await editor(page).waitFor({ state: "detached" });
  await openEditor(page);
  assert.deepEqual(await goalTiles(page), read("5 0 6/4 1 3/7 8 2"), "given up: as it was");
});

flow("undo restores the goal", async ({ page, open }) => {
  await open(address(read("8 6 7/2 5 4/3 0 1"), 3));
  await page.keyboard.press("ArrowDown");
  await openEditor(page);
  await button(editor(page), "Snake").click();
  await button(editor(page), "Use this goal").click();
  const goal = (name) => page.getByRole("img", { name }).locator("visible=true");
  await goal(/^Goal: Snake/).waitFor();
  await button(stage(page), "Undo").click();
  await goal(/^Goal: Blank last/).waitFor();
  await stage(page).locator(".count").getByText(/^1 move$/).waitFor();
  await button(stage(page), "Redo").click();
  await goal(/^Goal: Snake/).waitFor();
});

flow("the board as the goal, to solve another board to it", async ({ page, open }) => {
  const goal = read("8 6 7/2 5 4/3 0 1");
  await open(address(goal, 3));
  await openEditor(page);
  await button(editor(page), "As the board now").click();
  await button(editor(page), "Use this goal").click();
  await strip(page).getByText("This is the goal.").waitFor();
  await button(page, "Shuffle").click();
  await solvable(page);
  const sentence = await solve(page);
  await button(page.locator("#panel"), "To the end").click();
  await boardIs(page, goal, `${sentence}: it ends at the goal`);
  await stage(page).getByText("Solved", { exact: true }).waitFor();
});

flow("a board that the page drew can reach every goal", async ({ page, open }) => {
  await open("#4x4");
  await solvable(page);
  for (const name of ["Blank first", "Snake", "Column order", "Spiral"]) {
    await openEditor(page);
    await button(editor(page), name).click();
    const goal = await goalTiles(page);
    await button(editor(page), "Use this goal").click();
    await solvable(page);
    assert.ok(isSolvable(await board(page), goal, 4), name);
  }
});
