// Entered moves, links with moves, and games that Undo and Back restore.
import assert from "node:assert/strict";
import { flow } from "../flow.mjs";
import { board, boardIs, button, copyLink, fold, fromMenu, goTo, movesAre } from "../page.mjs";
import { notice, paste, press, solvable, solve, stage, told } from "../page.mjs";
import { address, known as start, ordered, random, read, replay } from "../puzzle.mjs";

const near = replay(ordered(16), 4, "DRDRULDL");
const moves = "RURDLULU";

async function enterMoves(page) {
  await fromMenu(page, "Enter moves");
  return page.getByRole("dialog", { name: "Enter moves" });
}

async function shareFromMenu(page, name) {
  await button(page, "More").click();
  return copyLink(page, button(page, name));
}

/** A visitor with their own profile, who follows the link. */
async function another(context, link) {
  const other = await context.browser().newContext({ reducedMotion: "reduce", locale: "en-GB" });
  const visitor = await other.newPage();
  await visitor.goto(link);
  return visitor;
}

flow("moves are entered in each notation and played", async ({ page, open }) => {
  const reversed = { U: "D", D: "U", L: "R", R: "L" };
  const blankWays = [...moves].map((way) => reversed[way]).join(" ").toLowerCase();
  let tiles = near;
  const numbers = [...moves].map((way) => {
    const blank = tiles.indexOf(0);
    tiles = replay(tiles, 4, way);
    return tiles[blank];
  });
  for (const text of [moves, "R U, R\nD L U L U", blankWays, numbers.join(" ")]) {
    await open("#2x2&board=1,2/3,0");
    await open(address(near, 4));
    const dialog = await enterMoves(page);
    await dialog.getByRole("textbox").fill(text);
    await dialog.getByText("8 moves, which solve the board.").waitFor();
    await button(dialog, "Play").click();
    await boardIs(page, ordered(16), text);
    await movesAre(page, 8);
  }
  // Entered moves can be played back like any solution.
  await button(fold(page), "To the start").click();
  await boardIs(page, near);
  await button(fold(page), "One move on").click();
  await boardIs(page, replay(near, 4, "R"));
  await fold(page).getByText("8 moves, which solve the board.").waitFor();

  // Moves of the first board are offered from the start of the game.
  await button(fold(page), "To the start").click();
  await press(page, "U");
  const dialog = await enterMoves(page);
  await dialog.getByRole("textbox").fill(moves);
  await button(dialog, "Go back to the start of the game").click();
  await button(dialog, "Play").click();
  await boardIs(page, ordered(16));
});

flow("an impossible move is explained, with the tiles beside the blank", async ({ page, open }) => {
  await open(address(start, 4));
  const dialog = await enterMoves(page);
  const field = dialog.getByRole("textbox");
  for (const [text, words] of [
    ["R D3", /Move 4, "D3", is not possible: the blank is at row 1 column 1.*: 5, 10/],
    ["U hello", /Move 2: "hello" is not a move/],
  ]) {
    await field.fill(text);
    await dialog.getByText(words).waitFor();
    assert.equal(await button(dialog, "Play").count(), 0, `"${text}" is not played`);
  }
  await button(dialog, "Show the place").click();
  const marked = (each) => each.value.slice(each.selectionStart, each.selectionEnd);
  assert.equal(await field.evaluate(marked), "hello");
  // Moves that do not solve the board can be played, too, without a search for a solution.
  await field.fill("D2 R");
  await dialog.getByText("3 moves. The board is not solved after them.").waitFor();
  await button(dialog, "Step through").click();
  await boardIs(page, start, "nothing has moved yet");
  await button(fold(page), "To the end").click();
  await boardIs(page, replay(start, 4, "D2R"));
  await press(page, "U");
  await page.waitForTimeout(400);
  assert.equal(await fold(page).getByText(/no solution is shorter/).count(), 0);
});

flow("a link with the solution plays it elsewhere", async ({ page, context, open, url }) => {
  await open(address(start, 4));
  await solve(page);
  const link = await copyLink(page, button(fold(page), "Share"));
  assert.ok(link.startsWith(url) && link.includes("&moves="), link);
  const visitor = await another(context, link);
  await boardIs(visitor, start, "the board at its start");
  await fold(visitor).getByText("moves, which solve the board. Press Play.").waitFor();
  await told(visitor, /The link has 5\d moves, which solve the board\. Press Play\./);
  assert.equal(visitor.url(), link, "the address keeps the moves");
  await visitor.reload();
  await fold(visitor).getByText(/which solve the board/).waitFor();
  await button(fold(visitor), "To the end").click();
  await boardIs(visitor, ordered(16));
  await visitor.context().close();
});

flow("a link with the game so far, and its own goal", async ({ page, context, open, url }) => {
  const goal = read("1 2 3/8 0 4/7 6 5");
  await open(`${address(replay(goal, 3, "DRUULDD"), 3)}&goal=1,2,3/8,0,4/7,6,5`);
  await press(page, "UD");
  await movesAre(page, 2);
  const link = await shareFromMenu(page, "Share my game");
  assert.ok(link.startsWith(`${url}#3x3&board=`) && link.includes("&goal=1,2,3/8,0,4/7,6,5"), link);
  const visitor = await context.newPage();
  await visitor.goto(link);
  await fold(visitor).getByText("The link has 2 moves of this board. Press Play.").waitFor();
  await button(fold(visitor), "To the end").click();
  await movesAre(visitor, 2);
});

flow("a pasted link is opened, with its moves; wrong moves are a sentence", async (it) => {
  const { page, open } = it;
  await open("#2x2&board=1,2/0,3");
  await solvable(page);
  await paste(page, `https://example.org/${address(near, 4)}&moves=${moves}`);
  await button(page, "Play this board").click();
  await fold(page).getByText("The link has 8 moves, which solve the board. Press Play.").waitFor();
  await boardIs(page, near);
  await open(`${address(start, 4)}&moves=D9`);
  await notice(page, /The moves in the link cannot be played\. Move 3, "D9"/).waitFor();
  await boardIs(page, start);
  await button(page, "Close message").click();
  await open(`${address(near, 4)}&moves=.900.AAAA`);
  await notice(page, /The link was cut off: it had 900 moves, and 12 are left\./).waitFor();
  await boardIs(page, near);
});

flow("a 10x10 with a long solution fits a link", async ({ page, context, open }) => {
  await open(address(random(10, 10, 3), 10));
  await solve(page);
  const link = await copyLink(page, button(fold(page), "Share"));
  assert.ok(link.length < 8000, `${link.length} characters`);
  const visitor = await context.newPage();
  await visitor.goto(link);
  await button(fold(visitor), "To the end").click();
  await boardIs(visitor, ordered(100));
});

flow("a picture comes with a link", async ({ page, context, open }) => {
  await open(address(start, 4));
  await button(page, "Picture").click();
  await button(page, "Sunflower").click();
  await button(page, "Use this picture").click();
  const link = await shareFromMenu(page, "Share the board");
  assert.match(link, /&picture=sunflower$/);
  const visitor = await another(context, link);
  await stage(visitor).locator('[data-tile="1"] .face.picture').waitFor();
  // Another host is contacted only with the visitor's consent.
  await visitor.goto(link.replace(/picture=.*/, "picture=https%3A%2F%2Fexample.org%2Fcat.jpg"));
  await notice(visitor, "The link has a picture: example.org.").waitFor();
  await visitor.context().close();
});

flow("Undo returns from a new board, and Redo restores it", async ({ page, open }) => {
  await open(address(start, 4));
  await press(page, "UR");
  await movesAre(page, 2);
  await page.waitForTimeout(1100);
  const time = await stage(page).getByRole("timer").textContent();
  assert.notEqual(time, "0:00");
  await button(page, "Shuffle").click();
  await movesAre(page, 0);
  const shuffled = await board(page);
  await button(stage(page), "Undo").click();
  await boardIs(page, replay(start, 4, "UR"));
  await movesAre(page, 2);
  assert.ok((await stage(page).getByRole("timer").textContent()) >= time, "the time is back");
  await told(page, /The 4x4 game of 2 moves is back/);
  await button(stage(page), "Redo").click();
  await boardIs(page, shuffled);
  await page.keyboard.press("Control+z");
  await movesAre(page, 2);
  await page.keyboard.press("Control+z");
  await boardIs(page, replay(start, 4, "U"), "then its moves");
});

flow("the browser's Back returns from sizes, boards and links", async ({ page, open }) => {
  await open(address(start, 4));
  await press(page, "U");
  await movesAre(page, 1);
  await page.getByRole("button", { name: /^Size: / }).click();
  await button(page, "3x3").click();
  await page.getByRole("application", { name: "3x3 board" }).waitFor();
  await press(page, "UL");
  const small = await board(page);
  const made = (await stage(page).locator(".count").textContent()).match(/\d+/)[0];
  // Follows a link on the page itself.
  await goTo(page, "#2x2&board=3,1/2,0");
  await boardIs(page, [3, 1, 2, 0]);
  await page.goBack();
  await boardIs(page, small);
  await movesAre(page, made);
  // A reload keeps all games.
  await page.waitForTimeout(500);
  await page.reload();
  await boardIs(page, small);
  await page.goBack();
  await boardIs(page, replay(start, 4, "U"));
  await movesAre(page, 1);
  await page.goForward();
  await boardIs(page, small);
  await page.goForward();
  await boardIs(page, [3, 1, 2, 0]);
  await button(stage(page), "Undo").click();
  await boardIs(page, small);
});
