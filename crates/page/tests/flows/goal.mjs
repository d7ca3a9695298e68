// The goal: presets, swapped tiles, any cell for the blank, and the current board as the goal.
import assert from "node:assert/strict";
import { flow } from "../flow.mjs";
import { board, boardIs, button, copyMoves, press, solvable, solve, stage } from "../page.mjs";
import { strip } from "../page.mjs";
import { address, count, distances, isSolvable, ordered, read, replay } from "../puzzle.mjs";

const editor = (page) => page.getByRole("dialog", { name: "The goal" });

async function openEditor(page) {
  await page.getByRole("button", { name: "Change the goal" }).locator("visible=true").click();
  await editor(page).waitFor();
}

/** Chooses a goal by its name, and returns its tiles. */
async function choose(page, name) {
  await openEditor(page);
  await button(editor(page), name).click();
  const tiles = await goalTiles(page);
  await button(editor(page), "Use this goal").click();
  return tiles;
}

const goalTiles = (page) =>
  editor(page).evaluate((dialog) => {
    const of = (each, name) => Number(each.style.getPropertyValue(name));
    const columns = of(dialog.querySelector(".tray"), "--columns");
    const tiles = [];
    for (const piece of dialog.querySelectorAll("[data-tile]")) {
      tiles[of(piece, "--y") * columns + of(piece, "--x")] = Number(piece.dataset.tile);
    }
    return tiles;
  });

flow("presets, and a board solved to one of them", async ({ page, open }) => {
  const start = read("8 6 7/2 5 4/3 0 1");
  await open(address(start, 3));
  await solvable(page);
  const goal = read("1 2 3/8 0 4/7 6 5");
  const expected = {
    "Blank first": read("0 1 2/3 4 5/6 7 8"),
    Snake: read("1 2 3/6 5 4/7 8 0"),
    "Column order": read("1 4 7/2 5 8/3 6 0"),
    Spiral: goal,
  };
  await openEditor(page);
  for (const [name, tiles] of Object.entries(expected)) {
    await button(editor(page), name).click();
    assert.deepEqual(await goalTiles(page), tiles, name);
  }
  const isReached = isSolvable(start, goal, 3);
  await editor(page).getByText(`The board ${isReached ? "can" : "cannot"} reach`).waitFor();
  await button(editor(page), "Use this goal").click();
  const swap = strip(page).getByRole("button", { name: /^Swap/ });
  if (!isReached) await swap.click();
  await solvable(page);
  const now = await board(page);
  const { distance } = distances(goal, 3).get(now.join(" "));
  assert.equal(await solve(page), `${distance} moves: no solution is shorter.`);
  const moves = await copyMoves(page);
  assert.equal(count(moves), distance);
  assert.deepEqual(replay(now, 3, moves), goal, "the moves lead to this goal");
  const inAddress = /goal=([^&]*)/.exec(new URL(page.url()).hash)[1];
  assert.deepEqual(read(inAddress), goal, "the goal is in the address");
  await page.reload();
  await boardIs(page, now);
  const shown = page.getByRole("img", { name: /^Goal: .*spiral/i });
  await shown.locator("visible=true").waitFor();
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
  await press(page, "D");
  await choose(page, "Snake");
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
  await choose(page, "As the board now");
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
    const goal = await choose(page, name);
    await solvable(page);
    assert.ok(isSolvable(await board(page), goal, 4), name);
  }
});
