// Pictures of the main views for README and docs: node tests/screenshots.mjs [--out FOLDER]
//
// Build the page first. All runs show the same boards. The default folder is docs/page of the
// repository.
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { launch, serve } from "./chromium.mjs";
import { smaller } from "./files.mjs";
import { boardIs, button, fold, openPanel, solve, stage, tile } from "./page.mjs";
import { address, random, read } from "./puzzle.mjs";

const { values } = parseArgs({
  options: {
    out: {
      type: "string",
      default: fileURLToPath(new URL("../../../docs/page", import.meta.url)),
    },
  },
});
mkdirSync(values.out, { recursive: true });

const known = address(read("5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13"), 4);
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

async function solved(page, moves) {
  await solve(page);
  await fold(page).getByRole("slider", { name: "Move", exact: true }).fill(String(moves));
}

async function withPicture(page) {
  await button(page, "Picture").click();
  await page.getByRole("dialog").locator(".thumbnails button").first().click();
  await button(page.getByRole("dialog"), "Use this picture").click();
  await page.locator(".tile .face.picture").first().waitFor();
}

/** For each picture: name, viewport, theme, board, and the visitor's actions. */
const shots = [
  ["solve.png", desktop, "light", known, (page) => solved(page, 21)],
  [
    "dark.png",
    desktop,
    "dark",
    known,
    async (page) => {
      await button(stage(page), "Hint").click();
      await page.getByText(/moves left/).first().waitFor();
    },
  ],
  [
    "laboratory.png",
    desktop,
    "light",
    address(read("8 6 7/2 5 4/3 0 1"), 3),
    async (page) => {
      const panel = await openPanel(page, "Laboratory");
      await panel.getByText("Many boards").click();
      await button(panel, "Run").click();
      await panel.getByText(/^800 searches in /).waitFor({ timeout: 60_000 });
      await panel.locator("figure").first().scrollIntoViewIfNeeded();
    },
  ],
  ["picture.png", desktop, "light", near, withPicture],
  [
    "goal.png",
    desktop,
    "light",
    known,
    async (page) => {
      await page.getByRole("button", { name: "Change the goal" }).locator("visible=true").click();
      await page
        .getByRole("dialog")
        .getByRole("button", { name: /spiral/i })
        .click();
    },
  ],
  [
    "heuristics.png",
    desktop,
    "light",
    known,
    async (page) => {
      const panel = await openPanel(page, "Laboratory");
      await button(panel, "Count nodes").click();
      await panel.getByText(/ended at/).first().waitFor({ timeout: 60_000 });
      await button(panel, "Count nodes").waitFor({ timeout: 60_000 });
    },
  ],
  ["tablet.png", tablet, "light", address(random(5, 5, 2), 5), async () => {}],
  ["phone.png", phone, "light", known, (page) => solved(page, 21)],
  ["phone-dark.png", phone, "dark", near, withPicture],
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
    await page.addInitScript(
      (text) => localStorage.setItem("sliding-tile.settings", text),
      JSON.stringify({ theme }),
    );
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
const sizes = readdirSync(values.out).map((name) => [name, statSync(join(values.out, name)).size]);
for (const [name, bytes] of sizes) console.log(`${name.padEnd(20)} ${(bytes / 1e3).toFixed(0)} kB`);
console.log(
  `${"all".padEnd(20)} ${(sizes.reduce((sum, [, b]) => sum + b, 0) / 1e3).toFixed(0)} kB`,
);
