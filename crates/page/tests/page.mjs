// Functions that use and read the page as a visitor does. They find controls by accessible names.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { read } from "./puzzle.mjs";

export const stage = (page) => page.getByRole("region", { name: "Board", exact: true });
export const strip = (page) => stage(page).locator("[data-solvable], .says").first();
export const fold = (page) => page.locator("#panel");
export const tile = (page, number) => stage(page).locator(`[data-tile="${number}"]`);

/** A button by its exact name, on the page or within a part of it. */
export const button = (place, name) => place.getByRole("button", { name, exact: true });

/** Reads the board from the positions of the drawn tiles, not from the page's state. */
export function board(page) {
  return stage(page).evaluate((section) => {
    const tray = section.querySelector(".tray .board");
    const box = tray.getBoundingClientRect();
    const pieces = [...tray.querySelectorAll("[data-tile]")].map((piece) => {
      const { left, top, width, height } = piece.getBoundingClientRect();
      return { number: Number(piece.dataset.tile), left, top, width, height };
    });
    const { width, height } = pieces[0];
    const [columns, rows] = [Math.round(box.width / width), Math.round(box.height / height)];
    const tiles = Array(columns * rows).fill(0);
    for (const { number, left, top } of pieces) {
      const [x, y] = [(left - box.left) / width, (top - box.top) / height];
      if (Math.abs(x - Math.round(x)) > 0.05 || Math.abs(y - Math.round(y)) > 0.05) return null;
      tiles[Math.round(y) * columns + Math.round(x)] = number;
    }
    return tiles;
  });
}

/** Waits until the page draws this board, for 1.5 s at most. */
export async function boardIs(page, expected, message) {
  let found = null;
  for (let i = 0; i < 60; i++) {
    found = await board(page);
    if (found && found.join() === expected.join()) return;
    await page.waitForTimeout(25);
  }
  assert.deepEqual(found, expected, message);
}

/** Waits until the address has this board. */
export async function addressIs(page, expected) {
  const text = () => /board=([^&]*)/.exec(new URL(page.url()).hash)?.[1] ?? "";
  for (let i = 0; i < 40 && read(text()).join() !== expected.join(); i++) {
    await page.waitForTimeout(50);
  }
  assert.deepEqual(read(text()), expected, "the board in the address");
}

/** Waits until the counter shows this number of moves. */
export async function movesAre(page, number) {
  await stage(page)
    .locator(".count")
    .getByText(new RegExp(`^${number} moves?$`))
    .waitFor();
}

/** Opens a panel by its name, unless it is open. */
export async function openPanel(page, name) {
  const opener = button(page.getByRole("navigation", { name: "Panels" }), name);
  if ((await opener.getAttribute("aria-expanded")) !== "true") await opener.click();
  const panel = fold(page);
  await panel.getByRole("heading", { name, exact: true, level: 2 }).waitFor();
  await panel.locator(".panel").first().waitFor();
  return panel;
}

/** Waits until the page has found the board solvable. */
export const solvable = (page) =>
  stage(page).locator('[data-solvable="true"]').waitFor({ state: "attached" });

/** Chooses an entry of the menu "More". */
export async function fromMenu(page, entry) {
  await button(page, "More").click();
  await button(page.getByRole("group", { name: "More" }), entry).click();
}

/** Presses the arrow keys of moves such as `URD`. */
export async function press(page, moves) {
  const keys = { U: "ArrowUp", D: "ArrowDown", L: "ArrowLeft", R: "ArrowRight" };
  for (const way of moves) await page.keyboard.press(keys[way]);
}

/** Pastes text into the page. */
export const paste = (page, text) =>
  page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
  }, text);

/** Waits until the tiles show a picture. */
export const pictureIsShown = (page) => page.locator(".tile .face.picture").first().waitFor();

/** Shows the first picture of the page on the tiles. */
export async function choosePicture(page) {
  await button(page, "Picture").click();
  await page.getByRole("dialog").locator(".thumbnails button").first().click();
  await button(page.getByRole("dialog"), "Use this picture").click();
  await pictureIsShown(page);
}

/**
 * Moves fingers, each from one point to another; calls `held` before the fingers are lifted, one
 * after the other.
 */
export async function drag(page, from, to, held = () => page.waitForTimeout(120)) {
  const session = await page.context().newCDPSession(page);
  const send = (type, points) => {
    const touchPoints = points.map(([x, y], id) => ({ x, y, id }));
    return session.send("Input.dispatchTouchEvent", { type, touchPoints });
  };
  for (const count of from.keys()) await send("touchStart", from.slice(0, count + 1));
  for (let i = 1; i <= 8; i++) {
    const along = (a, b) => a + ((b - a) * i) / 8;
    const points = from.map(([x, y], id) => [along(x, to[id][0]), along(y, to[id][1])]);
    await send("touchMove", points);
  }
  // Without a pause the browser sees a fling, and uses the next tap to stop it.
  await held();
  for (const count of [...from.keys()].reverse()) await send("touchEnd", to.slice(0, count));
}

/** A swipe with one finger. */
export const swipe = (page, from, to) => drag(page, [from], [to]);

/** Opens another address on the page. */
export const goTo = (page, hash) => page.evaluate((hash) => (location.hash = hash), hash);

/** The name and the bytes of the file that a button saves. */
export async function save(page, opener) {
  const [file] = await Promise.all([page.waitForEvent("download"), opener.click()]);
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

/** Shares from an open part of the page; without a system's sheet, the link is copied. */
export async function copyLink(page, opener) {
  await page.evaluate(() => {
    Object.defineProperty(navigator, "share", { value: undefined, configurable: true });
    return navigator.clipboard.writeText("");
  });
  await opener.click();
  return clipboard(page);
}

/** Presses "Solve" and waits for the sentence about the solution. */
export async function solve(page, timeout = 30_000) {
  await openPanel(page, "Solve");
  return answer(page, timeout);
}

/** Waits for the sentence about the solution. */
export async function answer(page, timeout = 30_000) {
  const said = fold(page)
    .locator(".status")
    .getByText(/^\s*(Stopped\. )?[\d,]+ moves?[:;,]/);
  await said.waitFor({ timeout });
  return (await said.textContent()).trim();
}

/** The number at the start of a sentence about a solution. */
export const lengthOf = (sentence) => Number(/[\d,]+/.exec(sentence)[0].replaceAll(",", ""));

/** The moves that the page copies, in a notation. */
export async function copyMoves(page, notation = "tile") {
  await fold(page).getByLabel("Moves as").selectOption(notation);
  await page.evaluate(() => navigator.clipboard.writeText(""));
  await button(fold(page), "Copy the moves").click();
  return clipboard(page);
}

/** Waits for the copied text. */
export async function clipboard(page) {
  for (let i = 0; i < 80; i++) {
    const text = await page.evaluate(() => navigator.clipboard.readText());
    if (text) return text;
    await page.waitForTimeout(25);
  }
  throw new Error("nothing was copied");
}

/** Chooses the mode of solutions in the options of the open panel. */
export async function chooseMode(page, name) {
  const opener = fold(page).locator("button.options");
  if ((await opener.getAttribute("aria-expanded")) !== "true") await opener.click();
  const label = fold(page).locator(".chips label").filter({ hasText: name });
  await label.click();
  await label.locator(":checked").waitFor({ state: "attached" });
}

/** Waits for an announcement to screen readers. */
export async function told(page, pattern) {
  await page
    .locator("[data-announcer]")
    .filter({ hasText: pattern })
    .waitFor({ state: "attached" });
}

/** A message above the board. */
export const notice = (page, pattern) => page.locator(".notice").filter({ hasText: pattern });

/** Stores the visitor's settings before the page starts. */
export function prefer(context, settings) {
  const script = (text) => localStorage.setItem("sliding-tile.settings", text);
  return context.addInitScript(script, JSON.stringify(settings));
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Findings of axe, one per line; `rules` limits the run to these rules. */
export async function findings(page, rules) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  return page.evaluate(async (rules) => {
    const runOnly = rules && { type: "rule", values: rules };
    // eslint-disable-next-line no-undef
    const { violations } = await axe.run(document, { resultTypes: ["violations"], runOnly });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary}`),
    );
  }, rules);
}
