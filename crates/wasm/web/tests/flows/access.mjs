// Accessibility: axe-core finds nothing on the main views, in all themes, on phone and desktop.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { desktop, flow, phone } from "../flow.mjs";
import {
  answer,
  boardIs,
  button,
  fold,
  openPanel,
  prefer,
  solve,
  stage,
  strip,
  tile,
  told,
} from "../page.mjs";
import { address, read, replay } from "../puzzle.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const start = read("5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13");

/** What axe finds, in short. */
async function findings(page) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  return page.evaluate(async () => {
    // eslint-disable-next-line no-undef
    const { violations } = await axe.run(document, { resultTypes: ["violations"] });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary}`),
    );
  });
}

/** The main views, one after the other on one page. */
const views = {
  "the board": async () => {},
  "not solvable": async (page) => {
    const bad = start.map((tile) => (tile === 1 ? 2 : tile === 2 ? 1 : tile));
    await page.evaluate((hash) => (location.hash = hash), address(bad, 4));
    await strip(page).getByText("Not solvable.").waitFor();
    await page.waitForTimeout(450);
  },
  "a solution": async (page) => {
    await page.evaluate((hash) => (location.hash = hash), address(start, 4));
    await strip(page).getByText("Not solvable.").waitFor({ state: "detached" });
    await solve(page);
    await fold(page).locator("button.options").click();
  },
  "a hint": async (page) => {
    await openPanel(page, "Help");
    for (const name of ["How far?", "Which tile?", "Which way?", "All good moves"]) {
      await button(fold(page), name).click();
    }
  },
  "a rating": async (page) => {
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowDown");
    await button(fold(page), "Rate my game").click();
    await fold(page).locator("section dl").waitFor();
  },
  "values of heuristics": async (page) => {
    await openPanel(page, "Laboratory");
    await fold(page).locator(".bars > li").nth(3).getByRole("button").first().click();
  },
  "a comparison": async (page) => {
    await fold(page).getByRole("tab", { name: "Compare" }).click();
    await fold(page).getByLabel("Boards of each size").fill("3");
    await button(fold(page), "Run").click();
    await fold(page)
      .getByText(/^24 searches in /)
      .waitFor();
  },
  tables: async (page) => {
    await openPanel(page, "Tables");
    for (const name of ["Choose another partition", "Load tables", "Memory and storage"]) {
      await fold(page).getByText(name).click();
    }
  },
  about: async (page) => {
    await openPanel(page, "About");
    for (const each of await fold(page).locator("details > summary").all()) await each.click();
  },
  "a goal": async (page) => {
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Change the goal" }).locator("visible=true").click();
    await page.getByRole("dialog").waitFor();
  },
  "a board as text": async (page) => {
    await page.keyboard.press("Escape");
    await button(page, "More").click();
    await button(page, "Enter a board as text").click();
    await page.getByRole("dialog").waitFor();
  },
  "moves as text": async (page) => {
    await page.keyboard.press("Escape");
    await button(page, "More").click();
    await button(page, "Enter moves").click();
    await page.getByRole("dialog").getByRole("textbox").fill("L9");
    await page.getByText(/is not possible/).waitFor();
  },
  "a link": async (page) => {
    await page.keyboard.press("Escape");
    await button(page, "More").click();
    await button(page.getByRole("group", { name: "More" }), "Copy a link").click();
    await page.getByRole("dialog", { name: "Copy a link" }).waitFor();
  },
  "a list of boards": async (page) => {
    await page.keyboard.press("Escape");
    await button(page, "More").click();
    await button(page, "Solve a list of boards").click();
    await page.getByRole("dialog").getByRole("textbox").fill("1 2 3/4 0 6/7 5 8\n2 1/3 0\nhello");
    await page.getByText("2 boards, 1 line that is not a board.").waitFor();
  },
  "a list that is solved": async (page) => {
    await button(page, "Solve all").click();
    await page.getByText("3 of 3 done").waitFor();
  },
  settings: async (page) => {
    await page.keyboard.press("Escape");
    await button(page, "More").click();
    await button(page, "Settings").click();
    await page.getByRole("dialog").waitFor();
  },
  "a picture cropped": async (page) => {
    await page.keyboard.press("Escape");
    await button(page, "Picture").click();
    await page.getByRole("dialog").locator(".thumbnails button").first().click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /^Crop, / })
      .waitFor();
    await page.getByText("Crop with sliders").click();
  },
  "a picture on the tiles": async (page) => {
    await button(page, "Use this picture").click();
    await page.locator(".tile .face.picture").first().waitFor();
  },
  "a menu": async (page) => {
    await page.getByRole("button", { name: /^Size: / }).click();
  },
};

for (const theme of ["light", "dark", "contrast"]) {
  for (const [device, viewport] of Object.entries({ phone, desktop })) {
    flow(`axe: ${theme}, ${device}`, { viewport, timeout: 120_000 }, async (it) => {
      const { t, page, context, open } = it;
      await prefer(context, { theme });
      await open(address(start, 4));
      await strip(page).getByText("Solvable", { exact: true }).waitFor();
      const all = [];
      for (const [name, go] of Object.entries(views)) {
        await go(page);
        // Colours of buttons fade in.
        await page.waitForTimeout(250);
        all.push(...(await findings(page)).map((finding) => `${name}: ${finding}`));
      }
      t.diagnostic(`${Object.keys(views).length} views`);
      assert.deepEqual(all, []);
    });
  }
}

flow("what happens is told; the focus goes along", async ({ page, open }) => {
  await open(address(start, 4));
  await strip(page).getByText("Solvable").waitFor();
  const live = page.locator("[data-announcer]");
  assert.equal(await live.getAttribute("aria-live"), "polite");
  await button(stage(page), "Solve").focus();
  await page.keyboard.press("Enter");
  await answer(page);
  const words = "Solved: 55 moves: no solution is shorter.";
  await live.filter({ hasText: words }).waitFor({ state: "attached" });
  const inside = () => page.evaluate(() => document.activeElement.closest("#panel") !== null);
  assert.ok(await inside(), "the focus is in the panel that opened");
  await page.keyboard.press("Escape");
  await fold(page).waitFor({ state: "detached" });
  const lost = await page.evaluate(() => document.activeElement === document.body);
  assert.ok(!lost, "the focus goes back to what opened the panel");
});

flow("menus have the keys and the focus", async ({ page, open }) => {
  await open(address(start, 4));
  const focused = () => page.evaluate(() => document.activeElement.textContent.trim());
  await button(page, "More").focus();
  await page.keyboard.press("Enter");
  assert.equal(await focused(), "Enter a board as text", "the first entry has the focus");
  for (const key of ["ArrowDown", "ArrowDown", "ArrowUp"]) await page.keyboard.press(key);
  assert.equal(await focused(), "Enter moves");
  await boardIs(page, start, "no tile slides behind the menu");
  await page.keyboard.press("Escape");
  assert.ok(await button(page, "More").evaluate((each) => each === document.activeElement));
});

flow("screen readers get tiles by name and in reading order", async ({ page, open }) => {
  await open(address(start, 4));
  await page.keyboard.press("ArrowUp");
  await told(page, /^tile 11 up, blank row 4 column 2/);
  const order = await stage(page)
    .locator(".board")
    .evaluate((each) =>
      each
        .getAttribute("aria-owns")
        .split(" ")
        .map((id) => Number(document.getElementById(id).dataset.tile)),
    );
  assert.deepEqual(order, replay(start, 4, "U").filter(Boolean));
  await button(page, "Shuffle").click();
  await told(page, /^New 4x4 board/);
  await solve(page);
  await button(fold(page), "One move on").click();
  await told(page, /^Move 1 of \d+: tile \d+ (up|down|left|right)$/);
});

flow("the focus stays on the page when its button goes", async ({ page, open }) => {
  const bad = start.map((tile) => (tile === 1 ? 2 : tile === 2 ? 1 : tile));
  await open(address(bad, 4));
  const isTile = () => page.evaluate(() => document.activeElement.matches("[data-tile]"));
  await strip(page).getByRole("button", { name: /^Swap/ }).press("Enter");
  await strip(page).getByText("Solvable").waitFor();
  assert.ok(await isTile(), "after the swap");
  await button(page, "More").press("Enter");
  await button(page, "Arrange the board").press("Enter");
  await button(page, "Done").waitFor();
  assert.ok(await isTile(), "arranging");
  await button(page, "Done").press("Enter");
  await button(page, "Done").waitFor({ state: "detached" });
  assert.ok(await isTile(), "after arranging");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  await button(page, "Shuffle").press("Enter");
  await button(page, "Take it back").press("Enter");
  assert.ok(await isTile(), "after taking a game back");
  await button(page, "Picture").press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.locator(".thumbnails button").first().press("Enter");
  const crop = dialog.getByRole("button", { name: /^Crop, / });
  await crop.waitFor();
  assert.ok(await crop.evaluate((each) => each === document.activeElement), "cropping");
});

const light = { contrast: "more", colorScheme: "light" };
flow("more contrast in light colours, in all tabs", light, async ({ page, context, open, url }) => {
  await open(address(start, 4));
  const theme = (each) => each.evaluate(() => document.documentElement.dataset.theme);
  assert.equal(await theme(page), "contrast-light");
  assert.deepEqual(await findings(page), []);
  const other = await context.newPage();
  await other.goto(url);
  await button(other, "More").click();
  await button(other, "Settings").click();
  await other.getByLabel("High contrast").check();
  await page.waitForFunction(() => document.documentElement.dataset.theme === "contrast");
});

flow(
  "forced colours: tiles at home have another border",
  { forcedColors: "active" },
  async (it) => {
    const { page, open } = it;
    await open(address(read("1 2 3/4 0 5/7 8 6"), 3));
    const border = (number) =>
      tile(page, number)
        .locator(".face")
        .evaluate((face) => getComputedStyle(face).borderTopStyle);
    assert.deepEqual([await border(1), await border(5)], ["double", "solid"]);
  },
);
