// Solutions as a print sheet and as animations. Every move list is replayed here.
import assert from "node:assert/strict";
import { flow } from "../flow.mjs";
import { board, button, choosePicture, fold, lengthOf } from "../page.mjs";
import { openPanel, pictureIsShown, save, solvable, solve } from "../page.mjs";
import { address, known, ordered, random, read, replayNumbers } from "../puzzle.mjs";

/** The width of an A4 page without its margins, in pixels. The height does not matter. */
const paper = { width: Math.floor(((210 - 30) / 25.4) * 96), height: 1000 };

const sheet = (page) => page.locator(".paper-sheet");

/** The number of pages of a PDF from Chromium, whose page objects are not compressed. */
const pageCount = (pdf) => pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)?.length ?? 0;

/** Shows the sheet in print layout, with the width of the paper, and checks its layout. */
async function showPaper(page) {
  await page.setViewportSize(paper);
  await page.emulateMedia({ media: "print" });
  await sheet(page).waitFor();
  assert.deepEqual(await sheet(page).evaluate(faultsOf), []);
}

/** Prints to a PDF file. Playwright would print in the emulated medium. */
async function print(page) {
  await page.emulateMedia({ media: null });
  return page.pdf({ format: "A4", preferCSSPageSize: true });
}

/** Parts of the sheet that exceed its edges, and texts that are cut off or covered. */
function faultsOf(sheet) {
  const outer = sheet.getBoundingClientRect();
  const found = [];
  for (const each of sheet.querySelectorAll("*")) {
    const { left, right, width } = each.getBoundingClientRect();
    // Pieces of the picture are clipped on purpose.
    if (each.matches("svg svg, image")) continue;
    const what = `${each.tagName} ${each.textContent.trim().slice(0, 20)}`;
    if (width > 0 && (left < outer.left - 1 || right > outer.right + 1)) found.push(what);
    // A cell of a drawing is ten units wide.
    const isCut =
      each instanceof SVGTextElement
        ? each.getBBox().width > 10
        : each instanceof HTMLElement && each.scrollWidth > each.clientWidth + 1;
    if (isCut && each.clientWidth + width > 0) found.push(`cut ${what}`);
  }
  for (const row of sheet.querySelectorAll(".blocks p")) {
    let last = { right: -Infinity, bottom: -Infinity };
    for (const text of row.children) {
      const range = document.createRange();
      range.selectNodeContents(text);
      const box = range.getBoundingClientRect();
      const isNextLine = box.top > last.bottom - 4;
      if (!isNextLine && box.left < last.right) found.push(`covered ${row.textContent}`);
      last = box;
    }
  }
  return found;
}

/** All moves on the sheet: the tile's number and its direction, such as `12←`. */
const movesOn = (page) =>
  sheet(page)
    .locator(".blocks p > span:not(.number)")
    .evaluateAll((all) => all.map((each) => each.textContent));

/** The boards drawn on the sheet, by their captions. */
const drawingsOn = (page) =>
  sheet(page)
    .locator("figure")
    .evaluateAll((all) =>
      all.map((figure) => {
        const svg = figure.querySelector("svg");
        const { width, height } = svg.viewBox.baseVal;
        const columns = Math.floor(width / 10);
        const tiles = Array(columns * Math.floor(height / 10)).fill(0);
        for (const text of svg.querySelectorAll("text")) {
          const [x, y] = ["x", "y"].map((name) => Math.floor(text.getAttribute(name) / 10));
          tiles[y * columns + x] = Number(text.textContent);
        }
        return { caption: figure.querySelector("figcaption").textContent, tiles };
      }),
    );

/** Replays the moves, and checks their arrows. Returns `start` and the board after each move. */
function boardsAfter(start, columns, moves) {
  const boards = [start];
  for (const move of moves) {
    const before = boards.at(-1);
    const number = /^\d+/.exec(move)[0];
    const after = replayNumbers(before, columns, number);
    const by = after.indexOf(Number(number)) - before.indexOf(Number(number));
    const arrow = { [-columns]: "↑", [columns]: "↓", "-1": "←", 1: "→" }[by];
    assert.equal(move, number + arrow);
    boards.push(after);
  }
  return boards;
}

/** Saves the animation from the open panel. */
const saveAnimation = (page) => save(page, button(fold(page), "Save as animation"));

flow("a 4x4 solution on one sheet, black on white", { colorScheme: "dark" }, async (tools) => {
  const { page, open } = tools;
  await open(address(known, 4));
  const sentence = await solve(page);
  await showPaper(page);
  const moves = await movesOn(page);
  assert.equal(moves.length, 55);
  const boards = boardsAfter(known, 4, moves);
  assert.deepEqual(boards.at(-1), ordered(16));
  const numbers = await sheet(page).locator(".number").allTextContents();
  assert.deepEqual(numbers, ["1", "11", "21", "31", "41", "51"]);
  assert.deepEqual(await drawingsOn(page), [
    { caption: "Board", tiles: known },
    { caption: "Goal", tiles: ordered(16) },
    ...[10, 20, 30, 40, 50, 55].map((made) => ({
      caption: `After ${made} moves`,
      tiles: boards[made],
    })),
  ]);
  const facts = await sheet(page).locator(".facts").textContent();
  assert.ok(facts.includes(sentence), facts);
  assert.match(facts, /A move slides one tile by one cell.*after every 10 moves/s);
  const { colours, others } = await page.evaluate(() => {
    const { color, backgroundColor } = getComputedStyle(document.querySelector(".paper-sheet"));
    const isSeen = (each) => each.getClientRects().length > 0;
    const others = [...document.querySelectorAll("#app, #app *, dialog")].filter(isSeen).length;
    return { colours: [color, backgroundColor], others };
  });
  assert.deepEqual(colours, ["rgb(0, 0, 0)", "rgb(255, 255, 255)"]);
  assert.equal(others, 0, "the page itself is not printed");
  await page.emulateMedia({ media: "screen" });
  assert.equal(await sheet(page).isVisible(), false);
  assert.equal(pageCount(await print(page)), 1);
});

flow("the steps of a 10x10, found and printed", async ({ page, open }) => {
  const start = random(10, 10, 7);
  await open(address(start, 10));
  const sentence = await solve(page);
  // The print dialog of the browser is invisible to the test.
  await page.evaluate(() => (window.print = () => (window.printed = document.body.dataset.paper)));
  await button(fold(page), "Print").click();
  await page.waitForFunction(() => window.printed === "sheet");
  await showPaper(page);
  const moves = await movesOn(page);
  assert.equal(moves.length, lengthOf(sentence));
  const boards = boardsAfter(start, 10, moves);
  assert.deepEqual(boards.at(-1), ordered(100));
  const drawings = await drawingsOn(page);
  assert.ok(drawings.length <= 62 && drawings.length > 20, `${drawings.length} drawings`);
  for (const { caption, tiles } of drawings.slice(2)) {
    assert.deepEqual(tiles, boards[/After (\d+) moves/.exec(caption)[1]], caption);
  }
  const headings = await sheet(page).locator("h3").allTextContents();
  assert.match(headings[0], /^1\. Place tile 1 at row 1 column 1\./);
  const pages = pageCount(await print(page));
  assert.ok(pages >= 5 && pages <= 12, `${pages} pages`);
});

flow("a picture, in German", { locale: "de-DE" }, async ({ page, open }) => {
  await open(`${address(read("8 6 7/2 5 4/3 0 1"), 3)}&picture=sunflower`);
  await pictureIsShown(page);
  await showPaper(page);
  assert.equal(await sheet(page).locator("h1").textContent(), "Schiebepuzzle 3x3");
  // For each tile of the board, the cell of the picture that the tile shows.
  const images = sheet(page).locator("figure").first().locator("image");
  const pieces = await images.evaluateAll((all) =>
    all.map(({ ownerSVGElement }) => {
      const { x, y, width, height } = ownerSVGElement.viewBox.baseVal;
      return (3 * y) / height + x / width;
    }),
  );
  assert.deepEqual(pieces, [7, 5, 6, 1, 4, 3, 2, 0], "8 6 7/2 5 4/3 0 1");
  const file = (await print(page)).toString("latin1");
  assert.match(file, /\/Subtype\s*\/Image/, "the picture is printed");
});

flow("a board without a solution, and other panels", async ({ page, open }) => {
  await open(address(known, 4));
  await solvable(page);
  await showPaper(page);
  const drawings = await drawingsOn(page);
  assert.deepEqual(drawings.map(({ tiles }) => tiles), [known, ordered(16)]);
  await page.emulateMedia({ media: "screen" });
  await page.setViewportSize({ width: 1440, height: 500 });
  await openPanel(page, "Laboratory");
  await page.emulateMedia({ media: "print" });
  await sheet(page).waitFor({ state: "detached" });
  const found = await page.evaluate(() => {
    const isShown = (each) => each.getClientRects().length > 0;
    const isCut = (each) => each.scrollHeight > each.clientHeight + 1;
    const all = (parts, is) => [...document.querySelectorAll(parts)].filter(is).length;
    const shown = all("main, nav, header button", isShown);
    return { shown, cut: all("#panel, #panel .content", isCut) };
  });
  assert.deepEqual(found, { shown: 0, cut: 0 }, "the panel alone, and all of it");
});

flow("an animation, with a picture", async ({ page, open }) => {
  await open(address(known, 4));
  await solve(page);
  const { name, bytes } = await saveAnimation(page);
  assert.equal(name, "solution-4x4.svg");
  const text = bytes.toString();
  assert.match(text, /prefers-reduced-motion:reduce/);
  assert.doesNotMatch(text, /(href|src|url)\W+https?:/i);

  await choosePicture(page);
  const before = await board(page);
  const pictured = (await saveAnimation(page)).bytes.toString();
  const { pieces, addresses, colours } = await page.evaluate(async (text) => {
    const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
    const pieces = [...parsed.querySelectorAll("g > text")].map((each) => [
      each.textContent,
      each.previousElementSibling.getAttribute("viewBox"),
    ]);
    const images = [...parsed.querySelectorAll("image")];
    const image = new Image();
    image.src = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    const colours = new Set(new Uint32Array(data.buffer).map((colour) => colour & 0xf0f0f0));
    const addresses = images.map((each) => each.getAttribute("href"));
    return { pieces, addresses, colours: colours.size };
  }, pictured);
  const places = before.filter(Boolean).map((tile) => [tile, (tile - 1) % 4, (tile - 1) >> 2]);
  assert.deepEqual(pieces, places.map(([tile, x, y]) => [String(tile), `${x} ${y} 1 1`]));
  assert.equal(addresses.map((each) => each.slice(0, 16)).join(), "data:image/jpeg;");
  assert.ok(colours > 100, `${colours} colours: the picture is drawn`);
});
