// `<sliding-board>`: its timeline and texts in Node, the element in Chromium.
import assert from "node:assert/strict";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { Timeline, readBoard, readGoal, readMoves } from "../dist/board/timeline.js";
import { launch, openPage } from "./chromium.mjs";
import { packageDirectory, serve, temporaryDirectory } from "./support.mjs";

const start = [1, 2, 3, 4, 0, 6, 7, 5, 8];
const goal = [1, 2, 3, 4, 5, 6, 7, 8, 0];

test("the entry can be imported without a document", async () => {
  const { SlidingBoard } = await import("../dist/board/index.js");
  assert.equal(typeof SlidingBoard, "function");
});

test("boards, goals and moves are read in the form that the package returns", () => {
  assert.deepEqual(readBoard("1 2 3/4 0 6/7 5 8"), { tiles: start, columns: 3 });
  assert.deepEqual(readBoard([0, 1, 2, 3, 4, 5], 3).columns, 3);
  assert.deepEqual(readBoard("3 1/2 0").tiles, [3, 1, 2, 0]);
  const layout = readBoard(start);
  assert.deepEqual(readGoal("blank-last", layout), goal);
  assert.deepEqual(readGoal("blank-first", layout), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
  assert.deepEqual(readMoves(" U2R D"), ["U", "U", "R", "D"]);
  for (const bad of ["", "1 2/3", "1 2 3", "1 1/2 0", "1 x/2 0", "1 2 3/4 0", "0"]) {
    assert.throws(() => readBoard(bad), { name: "InputError" }, bad);
  }
  for (const bad of ["X", "U0", "U-1", "UR?D", "u"]) {
    assert.throws(() => readMoves(bad), { name: "InputError" }, bad);
  }
  assert.throws(() => readGoal("1 2/3 0", layout), /another size/);
});

test("a timeline goes to any position, and a player's move replaces what follows", () => {
  const line = new Timeline(start, goal, 3, ["U", "L"]);
  assert.deepEqual(line.seek(2), ["U", "L"]);
  assert.equal(line.isSolved, true);
  assert.deepEqual(line.seek(0), ["R", "D"]);
  assert.deepEqual(line.tiles, start);
  assert.deepEqual(line.seek(NaN), []);
  // Playing the next move of the timeline keeps the moves after it.
  assert.deepEqual(line.slide(7), ["U"]);
  assert.deepEqual([line.position, line.moves.join("")], [1, "UL"]);
  line.slide(6);
  assert.deepEqual([line.position, line.moves.join("")], [2, "UR"]);
  assert.throws(() => new Timeline(start, goal, 3, ["U", "U"]), /move 2, U, leaves the board/);
});

describe("in Chromium", () => {
  const directory = temporaryDirectory();
  let browser;
  let server;
  before(async () => {
    symlinkSync(packageDirectory, join(directory, "sliding-tile-pdb"));
    symlinkSync(join(packageDirectory, "examples/board"), join(directory, "board"));
    writeFileSync(
      join(directory, "light.html"),
      `<!doctype html><link rel="icon" href="data:,"><title>Light</title><style>.tile, .board { display: none }</style>
       <sliding-board light board="1 2 3/4 0 6/7 5 8" use="arrange"></sliding-board>
       <script type="module" src="sliding-tile-pdb/dist/board/index.js"></script>`,
    );
    browser = await launch();
    server = await serve(directory);
  });
  after(async () => {
    await browser?.close();
    server?.close();
  });

  /** Opens the example page, and collects its events in `heard`. */
  async function open() {
    const page = await openPage(browser, server.url("board/"));
    page.problems = page.problems.filter((text) => !/favicon|404/.test(text));
    await page.locator("[data-tile]").first().waitFor();
    await page.evaluate(() => {
      window.heard = [];
      const element = document.querySelector("sliding-board");
      for (const name of ["slide", "move", "step", "solved"]) {
        element.addEventListener(name, ({ detail }) => window.heard.push([name, detail]));
      }
    });
    const board = page.locator("sliding-board");
    return {
      page,
      board,
      tiles: () => board.evaluate((element) => element.tiles.join(" ")),
      heard: () => page.evaluate(() => window.heard.splice(0)),
    };
  }

  test("the example loads only scripts", async () => {
    server.requests.length = 0;
    const { page } = await open();
    const beyond = server.requests.filter((path) => !/board\/($|\w+\.js$)|error\.js$/.test(path));
    assert.deepEqual(beyond.filter((path) => !path.includes("favicon")), []);
    await page.context().close();
  });

  test("clicks, drags and keys move tiles and dispatch events", async () => {
    const { page, board, tiles, heard } = await open();
    await board.getByRole("button", { name: /^tile 5,/ }).click();
    assert.equal(await tiles(), "1 2 3 4 5 6 7 0 8");
    assert.deepEqual(await heard(), [
      ["slide", { cell: 7 }],
      ["move", { moves: ["U"], by: "player" }],
      ["step", { position: 1, length: 2 }],
    ]);
    await board.getByRole("status").filter({ hasText: "tile 5 up, blank row 3 column 2" }).waitFor();
    const tile = board.getByRole("button", { name: /^tile 7,/ });
    const { x, y, width } = await tile.boundingBox();
    await page.mouse.move(x + width / 2, y + width / 2);
    await page.mouse.down();
    await page.mouse.move(x + width * 1.4, y + width / 2, { steps: 4 });
    await page.mouse.up();
    assert.equal(await tiles(), "1 2 3 4 5 6 0 7 8");
    await page.keyboard.press("Shift+ArrowLeft");
    assert.equal(await tiles(), "1 2 3 4 5 6 7 8 0");
    await board.getByRole("status").filter({ hasText: "Solved in 4 moves" }).waitFor();
    assert.deepEqual((await heard()).at(-1), ["solved", { position: 4 }]);
    // Ctrl with an arrow key moves the focus from tile to tile.
    await page.keyboard.press("Control+ArrowUp");
    assert.match(
      await board.evaluate((element) => element.shadowRoot.activeElement.ariaLabel),
      /row \d column \d/,
    );
    await board.evaluate((element) => element.reset());
    assert.equal(await tiles(), "1 2 3 4 0 6 7 5 8");
    await page.context().close();
  });

  test("a listener can prevent a slide; a board to view has no buttons", async () => {
    const { page, board, tiles } = await open();
    await board.evaluate((element) =>
      element.addEventListener("slide", (event) => event.preventDefault()),
    );
    await board.getByRole("button", { name: /^tile 5,/ }).click();
    assert.equal(await tiles(), "1 2 3 4 0 6 7 5 8");
    await board.evaluate((element) => element.set({ use: "view", label: "The goal" }));
    await board.getByRole("img", { name: "The goal" }).waitFor();
    assert.equal(await board.locator("[data-tile]").count(), 0);
    await page.context().close();
  });

  test("moves are played back by controls and by methods", async () => {
    const { page, board, tiles, heard } = await open();
    const press = (name) => board.getByRole("button", { name, exact: true }).click();
    await press("One move on");
    assert.equal(await tiles(), "1 2 3 4 5 6 7 0 8");
    await press("One move back");
    assert.equal(await tiles(), "1 2 3 4 0 6 7 5 8");
    await heard();
    await press("Play");
    await page.waitForFunction(() => window.heard.some(([name]) => name === "solved"));
    await board.getByRole("button", { name: "Play", exact: true }).waitFor();
    assert.equal(await board.evaluate((element) => element.isPlaying), false);
    await board.getByRole("slider", { name: "Position" }).fill("1");
    assert.equal(await tiles(), "1 2 3 4 5 6 7 0 8");
    await board.getByRole("combobox", { name: "Speed" }).selectOption("60");
    await board.evaluate((element) => {
      element.set({ board: "8 6 7/2 5 4/3 0 1", moves: "D" });
      element.play();
    });
    await page.waitForFunction(() => document.querySelector("sliding-board").position === 1);
    await page.context().close();
  });

  test("texts in another language; invalid attributes", async () => {
    const { page, board } = await open();
    await board.evaluate((element) => {
      element.labels = { tile: (number) => (number ? `Stein ${number}` : "Lücke"), play: "Los" };
    });
    await board.getByRole("button", { name: /^Stein 5, row 3 column 2/ }).waitFor();
    await board.getByRole("button", { name: "Los" }).waitFor();
    await board.evaluate((element) => element.setAttribute("moves", "UU"));
    await board.getByRole("alert").filter({ hasText: "move 2, U, leaves the board" }).waitFor();
    await board.evaluate((element) => element.setAttribute("moves", "U"));
    await board.getByRole("alert").waitFor({ state: "hidden" });
    await page.context().close();
  });

  test("attributes are applied together; properties can be set before the definition", async () => {
    const page = await openPage(browser, server.url("light.html"));
    const found = await page.evaluate(() => {
      const place = document.createElement("div");
      place.innerHTML = '<sliding-board moves="D" goal="0 1/2 3" board="2 1/0 3"></sliding-board>';
      const one = place.firstElementChild;
      document.body.append(place);
      const early = document.createElement("sliding-late");
      early.board = "3 1/2 0";
      document.body.append(early);
      customElements.define(
        "sliding-late",
        class extends customElements.get("sliding-board") {},
      );
      return [one.tiles, one.isSolved, one.shadowRoot.querySelector("[role=alert]").hidden]
        .concat([early.tiles]);
    });
    assert.deepEqual(found, [[2, 1, 0, 3], false, true, [3, 1, 2, 0]]);
    await page.context().close();
  });

  test("parts and custom properties change the look", async () => {
    const { page, board } = await open();
    const style = (selector, name) =>
      board.evaluate(
        (element, [selector, name]) =>
          getComputedStyle(element.shadowRoot.querySelector(selector))[name],
        [selector, name],
      );
    assert.equal(await style(".sliding-board", "borderTopLeftRadius"), "0px");
    assert.equal(await style('[data-tile="1"] .face', "backgroundColor"), "rgb(216, 232, 255)");
    await page.emulateMedia({ reducedMotion: "reduce" });
    assert.equal(await style(".tile", "transitionDuration"), "0s");
    await page.emulateMedia({ forcedColors: "active" });
    assert.equal(await style('[data-tile="1"] .face', "borderTopStyle"), "double");
    assert.equal(await style('[data-tile="5"] .face', "borderTopStyle"), "solid");
    await page.context().close();
  });

  test("in the document's own tree tiles are swapped by keys", async () => {
    const page = await openPage(browser, server.url("light.html"));
    await page.waitForFunction(() => document.querySelectorAll("[data-tile]").length === 9);
    // This element has no shadow root, so the document's styles apply to the tiles.
    assert.equal(await page.locator("[data-tile]").first().isVisible(), false);
    await page.evaluate(() => document.querySelector("style").remove());
    await page.locator('[data-tile="1"]').focus();
    await page.keyboard.press("Enter");
    await page.getByRole("status").filter({ hasText: "tile 1 chosen" }).waitFor();
    for (const key of ["ArrowDown", "ArrowRight", "Enter"]) await page.keyboard.press(key);
    const tiles = await page.evaluate(() => document.querySelector("sliding-board").tiles.join());
    assert.equal(tiles, "0,2,3,4,1,6,7,5,8");
    await page.context().close();
  });

  test("a move on 400 tiles is drawn in less than a frame", async (t) => {
    const { page, board } = await open();
    const ms = await board.evaluate((element) => {
      const tiles = Array.from({ length: 400 }, (_, cell) => (cell + 1) % 400);
      element.set({ board: tiles, moves: "", controls: false });
      const times = [];
      for (let count = 0; count < 60; count++) {
        const blank = tiles.indexOf(0);
        const next = count % 2 ? 399 : 398;
        [tiles[blank], tiles[next]] = [tiles[next], 0];
        const begun = performance.now();
        element.set({ board: [...tiles] });
        times.push(performance.now() - begun);
      }
      return times.sort((a, b) => a - b)[30];
    });
    t.diagnostic(`median ${ms.toFixed(2)} ms`);
    assert.ok(ms < 16, `${ms} ms`);
    await page.context().close();
  });
});
