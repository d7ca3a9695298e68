// The tasks that visitors come for, with the number of their actions: clicks, taps and drags from a
// fresh page. Typing a list of numbers is not counted.
import assert from "node:assert/strict";
import { flow } from "../flow.mjs";
import { png } from "../files.mjs";
import { button, clipboard, fold, fromMenu, openPanel, paste, solvable } from "../page.mjs";
import { stage, strip } from "../page.mjs";
import { address, known } from "../puzzle.mjs";

const text = known.join(" ");

/** Counts calls, and fails if there are more than `most`. An entry of a menu is two actions. */
function counter(most) {
  let count = 0;
  const act = (action) => (count++, action);
  return { act, check: () => assert.ok(count <= most, `${count} actions, at most ${most}`) };
}

flow("a hint that names a move: 1", async ({ page, open }) => {
  const { act, check } = counter(1);
  await open("#4x4");
  await act(button(stage(page), "Hint").click());
  await strip(page).getByText(/^Tile \d+ (up|down|left|right); \d+ moves left/).waitFor();
  check();
});

flow("a scramble typed, solved and its first move known: 4", async ({ page, open }) => {
  const { act, check } = counter(4);
  await open("#4x4");
  await act(act(fromMenu(page, "Enter a board")));
  const dialog = page.getByRole("dialog", { name: "Enter a board" });
  await page.keyboard.type(text.replace(" 0", "").replaceAll(" ", "."));
  await dialog.getByText("One number is missing. Write 0 for the gap.").waitFor();
  await dialog.getByRole("textbox").fill(text.replaceAll(" ", "."));
  await act(button(dialog, "Play this board").click());
  await act(openPanel(page, "Solve"));
  await fold(page).getByText(/^Next: tile \d+ (up|down|left|right)$/).waitFor();
  check();
});

flow("the numbers of a scramble are touched", async ({ page, open }) => {
  await open("#4x4");
  await fromMenu(page, "Enter a board");
  const numbers = page.getByRole("group", { name: "Numbers left" });
  // The first numbers are also a smaller board.
  for (const number of ["3", "1", "2", "0"]) await button(numbers, number === "0" ? "Gap" : number).click();
  await page.getByText("12 numbers are missing.").waitFor();
  await button(page, "Clear").click();
  for (const number of text.split(" ")) {
    await button(numbers, number === "0" ? "Gap" : number).click();
  }
  await button(page, "Play this board").click();
  await page.waitForFunction(() => /board=5,10,14,7/.test(location.hash));
});

flow("sent to a friend: 2", async ({ page, open }) => {
  const { act, check } = counter(2);
  await open(address(known, 4));
  await page.evaluate(() => {
    const share = ({ url }) => navigator.clipboard.writeText(url);
    Object.defineProperty(navigator, "share", { value: share, configurable: true });
  });
  await act(act(fromMenu(page, "Share the board")));
  assert.match(await clipboard(page), /#4x4&board=5,10,14,7/);
  check();
});

flow("values and nodes of four heuristics on a board of 31 moves: 3", async ({ page, open }) => {
  const { act, check } = counter(3);
  await open("#4x4");
  await solvable(page);
  await paste(page, "8 6 7 2 5 4 3 0 1");
  await act(button(page, "Play this board").click());
  await act(openPanel(page, "Laboratory"));
  await act(button(fold(page), "Count nodes").click());
  for (const name of ["Misplaced", "Manhattan", "Linear conflict", "Pattern database 5-3"]) {
    const row = fold(page).locator(".list > li").filter({ hasText: name });
    await row.getByText(/[\d,]+ nodes/).waitFor({ timeout: 30_000 });
    assert.match(await row.locator(".value").first().textContent(), /^\d+$/);
  }
  check();
});

flow("plots over 200 random boards: 4", async ({ page, open }) => {
  const { act, check } = counter(4);
  await open("#3x3");
  await act(openPanel(page, "Laboratory"));
  await act(fold(page).getByText("Many boards").click());
  await fold(page).getByText("800 searches").waitFor();
  await act(button(fold(page), "Run").click());
  await fold(page).getByText(/^800 searches in /).waitFor({ timeout: 50_000 });
  await fold(page).locator("figure").nth(2).waitFor();
  check();
});

flow("a picture, from the file to printed steps: 12", async ({ page, open }) => {
  const { act, check } = counter(12);
  await open("#4x4");
  const picture = png(300, 200, (x, y) => [x % 256, y % 256, 90]);
  await act(button(page, "Picture").click());
  const dialog = page.getByRole("dialog", { name: /picture/i });
  const file = { name: "own.png", mimeType: "image/png", buffer: picture };
  await act(dialog.getByLabel("Picture file").setInputFiles(file));
  await act(dialog.getByLabel("Rows").fill("3"));
  await act(dialog.getByRole("button", { name: /^Crop: / }).press("+"));
  await act(dialog.getByRole("radio", { name: "row 1 column 1" }).click());
  await act(button(dialog, "Use this picture").click());
  await page.getByRole("application", { name: "4x3 board" }).waitFor();
  await act(openPanel(page, "Solve"));
  await fold(page).getByText(/^Next: /).waitFor();
  await page.evaluate(() => (window.print = () => (window.printed = document.body.dataset.paper)));
  await act(button(fold(page), "Print").click());
  await page.waitForFunction(() => window.printed === "sheet");
  check();
});
