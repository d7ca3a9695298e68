// Lists of boards are pasted, dropped, solved row by row, copied and opened.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { flow, phone } from "../flow.mjs";
import { boardIs, button, clipboard, fold, notice } from "../page.mjs";
import { address, hard, ordered, random, read, replay, write } from "../puzzle.mjs";

const start = read("5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13");
const text = `# three sizes
8 6 7/2 5 4/3 0 1 31
${write(start, 4)}
hello
2 1/3 0
[[3,1],[2,0]]
`;

const dialogOf = (page) => page.getByRole("dialog", { name: "Solve a list of boards" });

async function openList(page) {
  await button(page, "More").click();
  await button(page, "Solve a list of boards").click();
  return dialogOf(page);
}

/** The cell texts of the table row for line number `line` of the list. */
async function row(dialog, line) {
  const cells = await dialog
    .getByRole("row")
    .filter({ has: dialog.page().getByRole("cell", { name: String(line), exact: true }) })
    .first()
    .getByRole("cell")
    .allTextContents();
  return cells.map((cell) => cell.trim());
}

flow("a list is solved row by row, and a row is opened", async ({ page, open }) => {
  await open(address(start, 4));
  const dialog = await openList(page);
  await dialog.getByRole("textbox").fill(text);
  await dialog.getByText("4 boards, 1 line that is not a board.").waitFor();
  await button(dialog, "Solve all").click();
  await dialog.getByText("5 of 5 done").waitFor({ timeout: 30_000 });
  const [, , length, proved, , , state] = await row(dialog, 2);
  assert.deepEqual([length, proved, state], ["31", "yes", "solved"]);
  assert.equal((await row(dialog, 3))[2], "55");
  assert.match((await row(dialog, 4))[2], /hello/);
  assert.equal((await row(dialog, 5))[6], "not solvable");
  assert.equal((await row(dialog, 6))[6], "solved");

  await page.evaluate(() => navigator.clipboard.writeText(""));
  await button(dialog, "Copy the table").click();
  const lines = (await clipboard(page)).trim().split("\n");
  assert.equal(lines.length, 6);
  const [, board, , , , , , , moves] = lines[2].split("\t");
  assert.deepEqual(replay(read(board), 4, moves), ordered(16), "the moves of the table");
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    button(dialog, "Save as CSV").click(),
  ]);
  assert.equal(file.suggestedFilename(), "boards.csv");
  const table = await readFile(await file.path(), "utf8");
  assert.match(table, /^line,board,length,.*\r\n2,8 6 7\/2 5 4\/3 0 1,31,yes,/);

  await dialog.getByRole("button", { name: /^Open the board of line 2/ }).click();
  await boardIs(page, read("8 6 7/2 5 4/3 0 1"));
  await fold(page).getByText("31 moves: no solution is shorter.").waitFor();
  await button(fold(page), "To the end").click();
  await boardIs(page, ordered(9));
});

flow("cancel stops a list immediately, and the rest is solved later", async ({ page, open }) => {
  await open(address(start, 4));
  const dialog = await openList(page);
  await dialog.getByRole("textbox").fill(`2 1 3/4 5 6/8 7 0\n${hard}\n1 2/0 3`);
  await button(dialog, "Solve all").click();
  await dialog.getByText("1 of 3 done").waitFor();
  await dialog.getByRole("cell", { name: "searching" }).waitFor();
  await button(dialog, "Cancel").click();
  await dialog.getByRole("cell", { name: "cancelled" }).waitFor({ timeout: 2000 });
  await button(dialog, "Edit the list").click();
  await dialog.getByRole("textbox").fill("2 1 3/4 5 6/8 7 0\n1 2/0 3");
  await dialog.getByText("2 boards.").waitFor();
  await button(dialog, "Solve all").click();
  await dialog.getByText("2 of 2 done").waitFor();
});

flow("pasted or dropped on the page: several boards are a list", async ({ page, open }) => {
  await open(address(start, 4));
  await page.evaluate((text) => {
    const transfer = new DataTransfer();
    transfer.setData("text/plain", text);
    const event = new ClipboardEvent("paste", { clipboardData: transfer, bubbles: true });
    document.body.dispatchEvent(event);
  }, text);
  await dialogOf(page).getByText("4 boards, 1 line that is not a board.").waitFor();
  await page.keyboard.press("Escape");

  const drop = (name, content) =>
    page.evaluate(
      ([name, content]) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([content], name, { type: "text/plain" }));
        const options = { dataTransfer: transfer, bubbles: true, cancelable: true };
        document.body.dispatchEvent(new DragEvent("drop", options));
      },
      [name, content],
    );
  await drop("boards.txt", "1 2 3/4 0 6/7 5 8\n1 2 3/4 5 6/0 7 8\n");
  await dialogOf(page).getByText("2 boards.").waitFor();
  await page.keyboard.press("Escape");
  await drop("board.txt", "1 2 3\n4 0 6\n7 5 8\n");
  await page.getByRole("dialog", { name: "Enter a board" }).getByText("A 3x3 board.").waitFor();
  await page.keyboard.press("Escape");
  await drop("noise.txt", "\0\0\0");
  await notice(page, "This is not a text file.").waitFor();
});

const onPhone = { viewport: phone, touch: true };

flow("a long list on a phone: rows in sight alone", onPhone, async ({ page, open }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await open("#3x3&board=1,2,3/4,0,6/7,5,8");
  const dialog = await openList(page);
  const boards = Array.from({ length: 400 }, (_, seed) => write(random(3, 3, seed), 3));
  await dialog.getByRole("textbox").fill(boards.join("\n"));
  await dialog.getByText("400 boards.").waitFor();
  await button(dialog, "Solve all").click();
  await dialog.getByText("400 of 400 done").waitFor({ timeout: 40_000 });
  assert.ok((await dialog.locator("tbody tr").count()) < 40, "few rows are elements");
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 320, `${wide} pixels wide`);
});
