// Functions that use and read the page as a visitor does. They find controls by accessible names.
import assert from "node:assert/strict";
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
export async function copyMoves(page, notation = "Tile letters") {
  await fold(page).getByLabel("Notation").selectOption({ label: notation });
  await page.evaluate(() => navigator.clipboard.writeText(""));
  await button(fold(page), "Copy").click();
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
