// Pictures of the main views for README and docs: node tests/screenshots.mjs [--out FOLDER]
//
// Build the page first. All runs show the same boards. The default folder is docs/page of the
// repository.
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { launch, serve } from "./chromium.mjs";
import { smaller } from "./files.mjs";
import { boardIs, button, choosePicture, fold, openPanel, prefer, solve } from "./page.mjs";
import { stage, tile } from "./page.mjs";
import { address, known as board55, random, read } from "./puzzle.mjs";

const folder = fileURLToPath(new URL("../../../docs/page", import.meta.url));
const { values } = parseArgs({ options: { out: { type: "string", default: folder } } });
mkdirSync(values.out, { recursive: true });

const known = address(board55, 4);
const near = address(read("1 2 3 4/5 6 11 7/9 10 8 12/13 14 15 0"), 4);
const desktop = { width: 1280, height: 800 };
const tablet = { width: 768, height: 1024 };
const phone = { width: 360, height: 740 };

async function paint(page, name) {
  await page.getByRole("dialog").or(tile(page, 1)).first().hover({ force: true });
  await page.mouse.move(1, 1);
  await page.waitForTimeout(400);
  smaller(await page.screenshot({ animations: "disabled" }), join(values.out, name));
}

async function solved(page) {
  await solve(page);
  await fold(page).getByRole("slider", { name: "Move", exact: true }).fill("21");
}

async function hint(page) {
  await button(stage(page), "Hint").click();
  await page.getByText(/moves left/).first().waitFor();
}

async function manyBoards(page) {
  const panel = await openPanel(page, "Laboratory");
  await panel.getByText("Many boards").click();
  await button(panel, "Run").click();
  await panel.getByText(/^800 searches in /).waitFor({ timeout: 60_000 });
  await panel.locator("figure").first().scrollIntoViewIfNeeded();
}

async function spiral(page) {
  await page.getByRole("button", { name: "Change the goal" }).locator("visible=true").click();
  await button(page.getByRole("dialog"), "Spiral").click();
}

async function nodes(page) {
  const panel = await openPanel(page, "Laboratory");
  await button(panel, "Count nodes").click();
  await panel.getByText(/ended at/).first().waitFor({ timeout: 60_000 });
  await button(panel, "Count nodes").waitFor({ timeout: 60_000 });
}

/** For each picture: name, viewport, theme, board, and the visitor's actions. */
const shots = [
  ["solve.png", desktop, "light", known, solved],
  ["dark.png", desktop, "dark", known, hint],
  ["laboratory.png", desktop, "light", address(read("8 6 7/2 5 4/3 0 1"), 3), manyBoards],
  ["picture.png", desktop, "light", near, choosePicture],
  ["goal.png", desktop, "light", known, spiral],
  ["heuristics.png", desktop, "light", known, nodes],
  ["tablet.png", tablet, "light", address(random(5, 5, 2), 5), async () => {}],
  ["phone.png", phone, "light", known, solved],
  ["phone-dark.png", phone, "dark", near, choosePicture],
];

const [browser, server] = [await launch(), await serve()];
try {
  for (const [name, viewport, theme, hash, act] of shots) {
    const isPhone = viewport === phone;
    const page = await browser.newPage({
      viewport,
      reducedMotion: "reduce",
      locale: "en-GB",
      ...(isPhone && { hasTouch: true, isMobile: true, deviceScaleFactor: 1.5 }),
    });
    page.setDefaultTimeout(20_000);
    await prefer(page, { theme });
    await page.goto(server.url + hash);
    await boardIs(page, read(/board=(.*)/.exec(hash)[1]));
    await act(page);
    await paint(page, name);
    await page.close();
  }
} finally {
  await browser.close();
  await server.close();
}
let all = 0;
for (const [name] of shots) {
  const { size } = statSync(join(values.out, name));
  all += size;
  console.log(`${name.padEnd(20)} ${(size / 1e3).toFixed()} kB of ${(all / 1e3).toFixed()} kB`);
}
