// A picture for the tiles is chosen, cropped, shown and stored; unusable pictures are rejected.
import assert from "node:assert/strict";
import { flow } from "../flow.mjs";
import { greyPng, png } from "../files.mjs";
import { boardIs, button, notice, pictureIsShown, prefer, press } from "../page.mjs";
import { solvable, tile } from "../page.mjs";
import { address, ordered, read, replay } from "../puzzle.mjs";

const start = read("8 6 7/2 5 4/3 0 1");

/** Each of the nine squares has its own colour, so that the colour of a piece shows its place. */
const colours = [
  [220, 40, 40],
  [40, 180, 60],
  [40, 70, 220],
  [230, 200, 30],
  [150, 40, 180],
  [30, 190, 200],
  [240, 130, 30],
  [120, 120, 120],
  [250, 250, 250],
];
const side = 300;
const picture = png(side, side, (x, y) => colours[Math.floor(y / 100) * 3 + Math.floor(x / 100)]);

const dialog = (page) => page.getByRole("dialog", { name: /picture/i });

async function choose(page, name, buffer, mimeType = "image/png") {
  if (!(await dialog(page).isVisible())) await button(page, "Picture").click();
  await dialog(page).getByLabel("Picture file").setInputFiles({ name, mimeType, buffer });
}

/** The colour on the screen in the middle of an element. */
async function colourOf(page, locator) {
  const bytes = await locator.screenshot();
  return page.evaluate(async (data) => {
    const blob = new Blob([Uint8Array.from(atob(data), (each) => each.charCodeAt(0))]);
    const bitmap = await createImageBitmap(blob);
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext("2d");
    context.drawImage(bitmap, 0, 0);
    const [x, y] = [bitmap.width / 2, bitmap.height / 4].map(Math.floor);
    return [...context.getImageData(x, y, 1, 1).data.slice(0, 3)];
  }, bytes.toString("base64"));
}

/** Checks that a tile shows a square of the picture. */
async function assertShows(page, number, square) {
  const [found, expected] = [await colourOf(page, tile(page, number)), colours[square - 1]];
  const isNear = found.every((each, i) => Math.abs(each - expected[i]) < 24);
  assert.ok(isNear, `${found} is near ${expected}`);
}

flow("a file is chosen, cut, shown on the tiles, and kept", async ({ page, context, open }) => {
  await prefer(context, { numbers: false });
  await open(address(start, 3));
  await choose(page, "thirds.png", picture);
  await button(dialog(page), "Use this picture").click();
  await pictureIsShown(page);
  await page.waitForTimeout(100);
  for (const number of [1, 3, 5, 6, 8]) {
    await assertShows(page, number, number);
  }
  await press(page, "R");
  await boardIs(page, replay(start, 3, "R"));
  await assertShows(page, 3, 3);

  await page.reload();
  await pictureIsShown(page);
  await page.waitForTimeout(100);
  await assertShows(page, 5, 5);

  await button(page, "Picture").click();
  await button(dialog(page), "Remove the picture").click();
  await page.locator(".tile .face.picture").first().waitFor({ state: "detached" });
});

flow("cropped by zoom, drag and keys; the dialog keeps the picture", async (it) => {
  const { page, context, open } = it;
  await prefer(context, { numbers: false });
  await open(address(replay(ordered(4), 2, "R"), 2));
  await choose(page, "thirds.png", picture);
  const crop = dialog(page).getByRole("button", { name: /^Crop: / });
  await crop.waitFor();
  // At 1.5 times, the frame has two thirds of the picture. Dragged to a corner of the picture, it
  // shows four whole squares.
  await crop.focus();
  for (let i = 0; i < 4; i++) await page.keyboard.press("+");
  await page.keyboard.press("Escape");
  await dialog(page).waitFor({ state: "detached" });
  await button(page, "Picture").click();
  await crop.waitFor();
  const { x, y, width, height } = await crop.boundingBox();
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x - width, y - height, { steps: 8 });
  await page.mouse.up();
  await button(dialog(page), "Use this picture").click();
  await pictureIsShown(page);
  await page.waitForTimeout(100);
  await assertShows(page, 1, 5);
  await assertShows(page, 2, 6);
});

flow("size, crop and missing piece in one dialog: the board can be solved", async (it) => {
  const { page, open } = it;
  for (let piece = 1; piece <= 3; piece++) {
    await open("#4x4");
    await solvable(page);
    await choose(page, "thirds.png", picture);
    await dialog(page).getByLabel("Rows").fill("3");
    const pieces = dialog(page).getByRole("radiogroup", { name: "The missing piece" });
    await pieces.getByRole("radio", { name: `row 1 column ${piece}` }).click();
    await button(dialog(page), "Use this picture").click();
    await page.getByRole("application", { name: "4x3 board" }).waitFor();
    await solvable(page);
    await page.goto("about:blank");
  }
});

flow("broken, foreign, empty and huge files are rejected", async ({ page, open }) => {
  await open(address(start, 3));
  const broken = Buffer.concat([picture.subarray(0, 20), Buffer.alloc(200, 7)]);
  for (const [name, bytes, words, type] of [
    ["broken.png", broken, /PNG picture is damaged or incomplete/],
    ["notes.txt", Buffer.from("no picture"), /not a picture that a browser can/, "text/plain"],
    ["empty.png", Buffer.alloc(0), /This file is empty/],
    ["tiny.png", png(8, 8, () => [0, 0, 0]), /less than 16x16/],
    // This file of a few kilobytes has more pixels than browsers decode.
    ["huge.png", greyPng(60_000, 60_000), /more than this browser can read|damaged or incomplete/],
  ]) {
    await choose(page, name, bytes, type);
    await dialog(page).getByRole("alert").getByText(words).waitFor({ timeout: 30_000 });
  }
  // A large but readable picture is reduced without a message.
  await choose(page, "large.png", greyPng(8000, 8000));
  await button(dialog(page), "Use this picture").click({ timeout: 30_000 });
  await pictureIsShown(page);
  await boardIs(page, start, "the board is untouched");
});

flow("dropped anywhere, pasted, and built in", async ({ page, open }) => {
  await open(address(start, 3));
  await solvable(page);
  const give = (type) =>
    page.evaluate(
      ([kind, data]) => {
        const bytes = Uint8Array.from(atob(data), (each) => each.charCodeAt(0));
        const transfer = new DataTransfer();
        transfer.items.add(new File([bytes], "dropped.png", { type: "image/png" }));
        const event =
          kind === "drop"
            ? new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true })
            : new ClipboardEvent("paste", { clipboardData: transfer, bubbles: true });
        document.body.dispatchEvent(event);
      },
      [type, picture.toString("base64")],
    );
  for (const type of ["drop", "paste"]) {
    await give(type);
    await button(dialog(page), "Use this picture").waitFor();
    await page.keyboard.press("Escape");
    await dialog(page).waitFor({ state: "detached" });
  }
  await button(page, "Picture").click();
  await button(dialog(page), "Another picture").click();
  await dialog(page).locator(".thumbnails button").last().click();
  // The missing piece is chosen in the preview, by touch or with keys.
  const pieces = dialog(page).getByRole("radiogroup", { name: "The missing piece" });
  await pieces.getByRole("radio", { name: "row 1 column 1" }).click();
  await page.keyboard.press("ArrowRight");
  const chosen = pieces.getByRole("radio", { checked: true });
  assert.equal(await chosen.getAttribute("aria-label"), "row 1 column 2");
  await button(dialog(page), "Use this picture").click();
  await page.waitForFunction(() => /goal=1,0,/.test(location.hash));
  await pictureIsShown(page);
  assert.equal(await notice(page, /./).count(), 0);
});

const withoutAnswer = { allow: /ERR_|Failed to load|CORS|net::/ };
flow("an address without a picture is explained", withoutAnswer, async ({ page, open, url }) => {
  await open(address(start, 3));
  await button(page, "Picture").click();
  const failure = dialog(page).getByRole("alert");
  for (const [text, words] of [
    [`${url}nothing.png`, /./],
    ["nonsense", /./],
    // The page requests https instead, since its policy forbids http.
    ["http://cat.invalid/cat.jpg", /cat\.invalid cannot be reached/],
  ]) {
    await dialog(page).getByLabel("Address of a picture").fill(text);
    await button(dialog(page), "Load").click();
    await failure.getByText(words).waitFor();
    assert.doesNotMatch(await failure.textContent(), /undefined|TypeError/);
  }
  await dialog(page).getByLabel("Address of a picture").fill(`${url}icon-192.png`);
  await button(dialog(page), "Load").click();
  await button(dialog(page), "Use this picture").click();
  await pictureIsShown(page);
});
