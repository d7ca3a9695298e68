// Every view of the page, on a phone, a tablet and a desktop, in all themes, and with text of twice
// the size: axe has no findings, and every control is large enough for a finger and not covered.
import assert from "node:assert/strict";
import { flow } from "../flow.mjs";
import { button, findings, fold, fromMenu, goTo, openPanel, pictureIsShown } from "../page.mjs";
import { press, solvable, solve, stage, strip } from "../page.mjs";
import { address, exchanged, known as start } from "../puzzle.mjs";

const dialog = (page) => page.getByRole("dialog");

async function closeDialog(page) {
  await page.keyboard.press("Escape");
  await dialog(page).waitFor({ state: "detached" });
}

/** The views, each opened from the previous one. */
const views = {
  "the board": async () => {},
  "the goal": async (page) => {
    const show = button(page, "Show the goal");
    if (await show.isVisible()) await show.click();
  },
  "not solvable": async (page) => {
    const back = button(page, "Back to the board");
    if (await back.isVisible()) await back.click();
    await goTo(page, address(exchanged(start), 4));
    await strip(page).getByText("This board cannot be solved").waitFor();
    await page.waitForTimeout(450);
  },
  arranging: async (page) => {
    await fromMenu(page, "Arrange the board");
    await button(page, "Done").waitFor();
  },
  "a solution": async (page) => {
    await button(page, "Done").click();
    await goTo(page, address(start, 4));
    await strip(page).getByText("This board cannot be solved").waitFor({ state: "detached" });
    await solve(page);
    await fold(page).locator("button.options").click();
  },
  "a hint": async (page) => {
    await openPanel(page, "Help");
    await button(fold(page), "Hint").click();
    await fold(page).getByText(/moves left/).waitFor();
  },
  "a rating": async (page) => {
    await press(page, "UD");
    await button(fold(page), "Rate my game").click();
    await fold(page).getByText(/were best/).first().waitFor();
  },
  "the guide": async (page) => {
    await button(fold(page), "Show me how").click();
    await fold(page).locator("[data-step]").waitFor();
    await fold(page).getByText("How this works").click();
    await button(fold(page), "Show the moves").click();
    await fold(page).locator(".moves li").first().waitFor();
  },
  "values of heuristics": async (page) => {
    await openPanel(page, "Laboratory");
    await fold(page).locator(".list > li").nth(3).getByRole("button").first().click();
  },
  "nodes of heuristics": async (page) => {
    await button(fold(page), "Count nodes").click();
    await fold(page).getByText(/ended at/).first().waitFor();
    await button(fold(page), "Count nodes").waitFor();
  },
  "a comparison and the tables": async (page) => {
    for (const title of ["Many boards", "Pattern databases"]) {
      await fold(page).locator("summary", { hasText: title }).click();
    }
    await fold(page).getByLabel("Boards for each").fill("1");
    await button(fold(page), "Run").click();
    await fold(page).getByText(/^16 searches in /).waitFor();
  },
  about: async (page) => {
    await fromMenu(page, "About");
    await dialog(page).getByText("Privacy").waitFor();
    await closeDialog(page);
  },
  "the goal dialog": async (page) => {
    await fromMenu(page, "Change the goal");
    await dialog(page).waitFor();
  },
  "a board as text": async (page) => {
    await closeDialog(page);
    await fromMenu(page, "Enter a board");
    await dialog(page).waitFor();
  },
  "moves as text": async (page) => {
    await closeDialog(page);
    await fromMenu(page, "Enter moves");
    await dialog(page).getByRole("textbox").fill("L9");
    await page.getByText(/is not possible/).waitFor();
  },
  results: async (page) => {
    await closeDialog(page);
    await stage(page).locator(".count").click();
    await dialog(page).getByText("No results yet.").waitFor();
  },
  settings: async (page) => {
    await closeDialog(page);
    await fromMenu(page, "Settings");
    await dialog(page).waitFor();
  },
  "the choice of pictures": async (page) => {
    await closeDialog(page);
    await button(page, "Picture").click();
    await dialog(page).locator(".thumbnails").waitFor();
  },
  "a picture cropped": async (page) => {
    await dialog(page).locator(".thumbnails button").first().click();
    await dialog(page).getByRole("button", { name: /^Crop: / }).waitFor();
  },
  "a picture on the tiles": async (page) => {
    await button(page, "Use this picture").click();
    await pictureIsShown(page);
  },
  "the menu of sizes": async (page) => {
    await page.getByRole("button", { name: /^Size: / }).click();
  },
  "the menu of shuffles": async (page) => {
    await page.keyboard.press("Escape");
    await button(page, "Kinds of shuffle").click();
  },
  "the menu More": async (page) => {
    await page.keyboard.press("Escape");
    await button(page, "More").click();
  },
  "a large board": async (page) => {
    await page.keyboard.press("Escape");
    await goTo(page, "#20x20");
    await stage(page).locator("[data-tile='399']").waitFor();
    // The message about the replaced game disappears by itself.
    await button(page, "Close message").click({ timeout: 1000 }).catch(() => {});
  },
  "a large board and its goal": async (page) => {
    await button(page, "Close panel").click();
    await button(page, "Show the goal").click();
  },
};

/**
 * Controls that are smaller than 44 pixels or covered in the middle, and parts that overflow their
 * container. If a dialog or a menu is open, only its controls are checked.
 */
function misfits(page) {
  return page.evaluate(() => {
    // Tiles and cells may be smaller: the board can be magnified, and cells can also be chosen from
    // a list. The file field is hidden: a button opens it.
    const allowed = "[data-tile], [data-cell], [type=file], :disabled";
    const open = document.querySelector("dialog[open], .sheet") ?? document;
    const found = [];
    for (const control of open.querySelectorAll("button, select, summary, input, textarea")) {
      if (control.matches(allowed)) continue;
      if (!control.checkVisibility({ visibilityProperty: true })) continue;
      const isMark = control.matches("[type=checkbox], [type=radio]");
      const target = (isMark && control.closest("label")) || control;
      target.scrollIntoView({ block: "nearest", inline: "nearest" });
      const { left, top, width, height } = target.getBoundingClientRect();
      const label = control.getAttribute("aria-label") ?? target.textContent.trim();
      const name = (label || control.outerHTML).slice(0, 60);
      // Fractional sizes are rounded by up to half a pixel.
      if (width < 43.5 || height < 43.5) {
        found.push(`${name}: ${width.toFixed(1)}x${height.toFixed(1)}`);
      }
      const hit = document.elementFromPoint(left + width / 2, top + height / 2);
      if (!hit) found.push(`${name}: off the screen`);
      else if (!target.contains(hit)) {
        found.push(`${name}: covered by ${hit.outerHTML.slice(0, 80)}`);
      }
    }
    for (const place of document.querySelectorAll("html, dialog, #panel .content, .sheet")) {
      if (place.scrollWidth <= place.clientWidth + 1) continue;
      const { right } = place.getBoundingClientRect();
      const isOver = (part) => part.getBoundingClientRect().right > right + 1;
      const over = [...place.querySelectorAll("*")].filter(isOver).slice(0, 4);
      found.push(
        `${place.tagName}: ${place.scrollWidth} of ${place.clientWidth} pixels: ` +
          over.map((part) => `${part.tagName}.${part.className}`).join(", "),
      );
    }
    return found;
  });
}

/** Changes the theme as another tab would. */
async function wear(page, theme) {
  await page.evaluate(async (theme) => {
    localStorage.setItem("sliding-tile.settings", JSON.stringify({ theme }));
    dispatchEvent(new StorageEvent("storage"));
    await new Promise(requestAnimationFrame);
  }, theme);
}

const devices = {
  "360 pixels": { width: 360, height: 740 },
  "768 pixels": { width: 768, height: 1024 },
  "1440 pixels": { width: 1440, height: 900 },
  "360 pixels, text of 200 %": { width: 360, height: 740, text: 32 },
  "1440 pixels, text of 200 %": { width: 1440, height: 900, text: 32 },
};

for (const [device, { text, ...viewport }] of Object.entries(devices)) {
  flow(`all views: ${device}`, { viewport, timeout: 300_000 }, async ({ t, page, open }) => {
    await open(address(start, 4));
    if (text) {
      const session = await page.context().newCDPSession(page);
      await session.send("Page.enable");
      await session.send("Page.setFontSizes", { fontSizes: { standard: text, fixed: text } });
    }
    await solvable(page);
    const all = [];
    for (const [name, go] of Object.entries(views)) {
      await go(page).catch((error) => {
        throw new Error(`on the way to ${name}: ${error.message}`);
      });
      await wear(page, "light");
      const found = [...(await misfits(page)), ...(await findings(page))];
      for (const theme of ["dark", "contrast"]) {
        await wear(page, theme);
        const colours = await findings(page, ["color-contrast"]);
        found.push(...colours.map((finding) => `${theme}: ${finding}`));
      }
      all.push(...found.map((finding) => `${name}: ${finding}`));
    }
    t.diagnostic(`${Object.keys(views).length} views`);
    assert.deepEqual(all, []);
  });
}
