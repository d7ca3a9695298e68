// Solutions as a print sheet, as files and as text. Every move list and animation is replayed here.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { flow, phone } from "../flow.mjs";
import {
  answer,
  board,
  boardIs,
  button,
  chooseMode,
  clipboard,
  fold,
  lengthOf,
  openPanel,
  solvable,
  solve,
  strip,
} from "../page.mjs";
import { address, ordered, random, read, replay, replayNumbers } from "../puzzle.mjs";

const known = read("5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13");
/** The width of an A4 page without its margins, in pixels. The height does not matter. */
const paper = { width: Math.floor(((210 - 30) / 25.4) * 96), height: 1000 };

const sheet = (page) => page.locator(".paper-sheet");

/** The number of pages of a PDF from Chromium, whose page objects are not compressed. */
const pageCount = (pdf) => pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)?.length ?? 0;

/** Shows the sheet in print layout, with the width of the paper. */
async function showPaper(page) {
  await page.setViewportSize(paper);
  await page.emulateMedia({ media: "print" });
  await sheet(page).waitFor();
}

/** Checks that nothing on the sheet exceeds its edges, and that no text is cut off or covered. */
async function assertWhole(page) {
  const faults = await sheet(page).evaluate((sheet) => {
    const outer = sheet.getBoundingClientRect();
    const found = [];
    for (const each of sheet.querySelectorAll("*")) {
      const { left, right, width } = each.getBoundingClientRect();
      // Pieces of the picture are clipped on purpose.
      if (each.closest(".pieces")) continue;
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
  });
  assert.deepEqual(faults, []);
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

/** Saves the animation from the open panel; returns its name and bytes. */
async function save(page) {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    button(fold(page), "Save as animation").click(),
  ]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

flow("a 4x4 solution on one sheet, black on white", { colorScheme: "dark" }, async (tools) => {
  const { page, open } = tools;
  await open(address(known, 4));
  const sentence = await solve(page);
  await showPaper(page);
  await assertWhole(page);
  const moves = await movesOn(page);
  assert.equal(moves.length, 55);
  const boards = boardsAfter(known, 4, moves);
  assert.deepEqual(boards.at(-1), ordered(16));
  assert.deepEqual(
    await sheet(page).locator(".number").allTextContents(),
    [..."012345"].map((tens) => String(10 * tens + 1)),
  );
  const drawings = await drawingsOn(page);
  assert.deepEqual(drawings, [
    { caption: "Board", tiles: known },
    { caption: "Goal", tiles: ordered(16) },
    ...[10, 20, 30, 40, 50, 55].map((made) => ({
      caption: `After ${made} moves`,
      tiles: boards[made],
    })),
  ]);
  const facts = await sheet(page).locator(".facts").textContent();
  assert.ok(facts.includes(sentence), facts);
  assert.match(facts, /A move slides one tile by one cell/);
  assert.match(facts, /after every 10 moves/);
  const { colour, background, others } = await page.evaluate(() => {
    const style = getComputedStyle(document.querySelector(".paper-sheet"));
    const isSeen = (each) => each.getClientRects().length > 0;
    const others = [...document.querySelectorAll("#app, #app *, dialog")].filter(isSeen).length;
    return { colour: style.color, background: style.backgroundColor, others };
  });
  assert.deepEqual([colour, background], ["rgb(0, 0, 0)", "rgb(255, 255, 255)"]);
  assert.equal(others, 0, "the page itself is not printed");
  await page.emulateMedia({ media: "screen" });
  assert.equal(await sheet(page).isVisible(), false);
  // Ends the emulation, because `page.pdf` would use the emulated medium.
  await page.emulateMedia({ media: null });
  assert.equal(pageCount(await page.pdf({ format: "A4", preferCSSPageSize: true })), 1);
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
  await assertWhole(page);
  const moves = await movesOn(page);
  assert.equal(moves.length, lengthOf(sentence));
  const boards = boardsAfter(start, 10, moves);
  assert.deepEqual(boards.at(-1), ordered(100));
  const drawings = await drawingsOn(page);
  const every = Number(/only after every (\d+) moves/.exec(await sheet(page).textContent())[1]);
  assert.ok(drawings.length <= 62 && drawings.length > 20, `${drawings.length} drawings`);
  for (const { caption, tiles } of drawings.slice(2)) {
    const made = Number(/After (\d+) moves/.exec(caption)[1]);
    assert.ok(made % every === 0 || made === moves.length);
    assert.deepEqual(tiles, boards[made], caption);
  }
  const headings = await sheet(page).locator("h3").allTextContents();
  assert.match(headings[0], /^1\. Place tile 1 at row 1 column 1\./);
  const pages = pageCount(await page.pdf({ format: "A4", preferCSSPageSize: true }));
  assert.ok(pages >= 5 && pages <= 12, `${pages} pages`);
});

flow("a picture, in German", { locale: "de-DE" }, async ({ page, open }) => {
  await open(address(read("8 6 7/2 5 4/3 0 1"), 3));
  await button(page, "Picture").or(button(page, "Bild")).click();
  const dialog = page.getByRole("dialog");
  await dialog.locator(".thumbnails button").first().click();
  await button(dialog, "Dieses Bild verwenden").click();
  await page.locator(".tile .face.picture").first().waitFor();
  await showPaper(page);
  await assertWhole(page);
  assert.equal(await sheet(page).locator("h1").textContent(), "Schiebepuzzle 3x3");
  // For each tile of the board, the cell of the picture that the tile shows.
  const pieces = await sheet(page)
    .locator("figure")
    .first()
    .locator("img")
    .evaluateAll((all) =>
      all.map((image) => {
        const place = image.parentElement.getBoundingClientRect();
        const whole = image.getBoundingClientRect();
        const column = Math.round((place.left - whole.left) / place.width);
        return 3 * Math.round((place.top - whole.top) / place.height) + column;
      }),
    );
  assert.deepEqual(pieces, [7, 5, 6, 1, 4, 3, 2, 0], "8 6 7/2 5 4/3 0 1");
  const file = await page.pdf({ format: "A4", preferCSSPageSize: true });
  assert.match(file.toString("latin1"), /\/Subtype\s*\/Image/, "the picture is printed");
});

flow("runs of tiles", async ({ page, open }) => {
  await open(address(known, 4));
  await openPanel(page, "Solve");
  await fold(page).locator("button.options").click();
  await fold(page)
    .getByRole("radio", { name: "A line of tiles", exact: true })
    .check({ force: true });
  await button(fold(page), "Solve").first().click();
  const sentence = await answer(page);
  await showPaper(page);
  await assertWhole(page);
  const moves = await movesOn(page);
  assert.equal(moves.length, lengthOf(sentence));
  assert.ok(moves.some((move) => move.includes(" ")));
  assert.deepEqual(replayNumbers(known, 4, moves.join(" ")), ordered(16));
});

flow("a board without a solution, and other panels", async ({ page, open }) => {
  await open(address(known, 4));
  await solvable(page);
  await showPaper(page);
  await assertWhole(page);
  const drawings = await drawingsOn(page);
  assert.deepEqual(
    drawings.map(({ tiles }) => tiles),
    [known, ordered(16)],
  );
  await page.emulateMedia({ media: "screen" });
  await page.setViewportSize({ width: 1440, height: 500 });
  await openPanel(page, "Laboratory");
  await page.emulateMedia({ media: "print" });
  await sheet(page).waitFor({ state: "detached" });
  const { shown, cut } = await page.evaluate(() => ({
    shown: [...document.querySelectorAll("main, nav, header button")].filter(
      (each) => each.getClientRects().length > 0,
    ).length,
    cut: [...document.querySelectorAll("#panel, #panel .content")]
      .filter((each) => each.scrollHeight > each.clientHeight + 1)
      .map((each) => `${each.className} ${each.scrollHeight} of ${each.clientHeight} pixels`),
  }));
  assert.deepEqual({ shown, cut }, { shown: 0, cut: [] }, "the panel alone, and all of it");
});

flow("an animation that plays every move", async ({ page, open }) => {
  await open(address(known, 4));
  await solve(page);
  const { name, bytes } = await save(page);
  assert.equal(name, "solution-4x4.svg");
  const text = bytes.toString();
  assert.match(text, /prefers-reduced-motion:reduce/);
  assert.doesNotMatch(text, /(href|src|url)\W+https?:/i);
  const { error, tiles, places } = await page.evaluate((text) => {
    const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
    const style = parsed.querySelector("style").textContent;
    const places = {};
    for (const [, number, frames] of style.matchAll(/@keyframes \w+-(\d+)\{(.*)\}/g)) {
      for (const [, times, x, y] of frames.matchAll(
        /([\d.%,]+)\{transform:translate\((\d+)px,(\d+)px\)\}/g,
      )) {
        for (const time of times.split(",")) {
          (places[number] ??= []).push([parseFloat(time), Number(x), Number(y)]);
        }
      }
    }
    const tiles = [...parsed.querySelectorAll("g > text")].map((each) => Number(each.textContent));
    return { error: parsed.querySelector("parsererror")?.textContent, tiles, places };
  }, text);
  assert.equal(error, undefined);
  assert.deepEqual(tiles, known.filter(Boolean));
  // If two consecutive key frames of a tile show it at different places, the tile has moved. Sorted
  // by time, the moves of all tiles are the solution.
  const moves = Object.entries(places).flatMap(([number, stops]) =>
    stops.flatMap(([time, x, y], at) => {
      const before = stops[at - 1];
      if (!before || (before[1] === x && before[2] === y)) return [];
      return [{ time, number }];
    }),
  );
  moves.sort((one, other) => one.time - other.time);
  assert.equal(moves.length, 55);
  const numbers = moves.map(({ number }) => number).join(" ");
  assert.deepEqual(replayNumbers(known, 4, numbers), ordered(16));
});

flow("an animation with a picture", async ({ page, open }) => {
  await open(address(known, 4));
  await solve(page);
  await button(page, "Picture").click();
  const dialog = page.getByRole("dialog");
  await dialog.locator(".thumbnails button").last().click();
  await button(dialog, "Use this picture").click();
  await page.locator(".tile .face.picture").first().waitFor();
  const before = await board(page);
  const { bytes } = await save(page);
  const { pieces, images, colours } = await page.evaluate(async (text) => {
    const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
    const pieces = [...parsed.querySelectorAll("g > text")].map((each) => [
      each.textContent,
      each.previousElementSibling.getAttribute("viewBox"),
    ]);
    const images = [...parsed.querySelectorAll("image")].map((each) =>
      each.getAttribute("href").slice(0, 16),
    );
    const image = new Image();
    image.src = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    const colours = new Set();
    for (let at = 0; at < data.length; at += 4) {
      colours.add((data[at] >> 4) * 256 + (data[at + 1] >> 4) * 16 + (data[at + 2] >> 4));
    }
    return { pieces, images, colours: colours.size };
  }, bytes.toString());
  const expected = before
    .filter(Boolean)
    .map((tile) => [String(tile), `${(tile - 1) % 4} ${Math.floor((tile - 1) / 4)} 1 1`]);
  assert.deepEqual(pieces, expected);
  assert.deepEqual(images, ["data:image/jpeg;"]);
  assert.ok(colours > 100, `${colours} colours: the picture is drawn`);
});
