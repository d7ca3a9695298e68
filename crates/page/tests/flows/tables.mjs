// The tables panel builds, proves, saves, loads, rejects and deletes tables.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { flow } from "../flow.mjs";
import { boardIs, button, fold, openPanel, solve, strip } from "../page.mjs";
import { address, ordered, read } from "../puzzle.mjs";

const start = read("5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13");

async function openTables(page) {
  await strip(page).getByText("Solvable").waitFor();
  const panel = await openPanel(page, "Tables");
  await panel
    .getByText(/ready\s+in|Build now|Building/)
    .first()
    .waitFor();
  const build = button(panel, "Build now");
  await build.click({ timeout: 500 }).catch(() => {});
  await panel.getByText("in 3 tables, ready in").waitFor();
  return panel;
}

async function save(page, panel) {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    panel
      .getByRole("button", { name: /^Save the table/ })
      .first()
      .click(),
  ]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

const file = (name, buffer) => ({ name, buffer, mimeType: "application/octet-stream" });

flow("built, proved, saved, deleted", async ({ page, open }) => {
  await open(address(start, 4));
  const panel = await openTables(page);
  await panel.getByRole("heading", { name: "4x4: 6-6-3" }).waitFor();
  assert.equal(await panel.getByText("Built here").count(), 3);
  const entries = await panel.locator(".name").filter({ hasText: "entries" }).allTextContents();
  const sum = entries.reduce((all, text) => all + parseFloat(text), 0);
  assert.ok(sum > 20 && sum < 27, `6-6-3 has about 23.6 M entries; found ${entries}`);

  await button(panel, "Prove every entry").click();
  await panel.getByText("Every entry is proved.").waitFor({ timeout: 30_000 });
  assert.equal(await panel.getByText("Every entry proved").count(), 3);

  const { name, bytes } = await save(page, panel);
  assert.match(name, /^4x4-.*\.pdb$/);
  assert.ok(bytes.length > 10_000, "a table was saved");

  await button(panel, "Forget").first().click();
  await panel.getByText("No tables are built yet: they are built when they are needed.").waitFor();
  await panel.getByText("Memory and storage").click();
  await panel.getByText(/^In memory: 0 B/).waitFor();
});

flow("damaged and foreign files are rejected, good ones loaded", async ({ page, open }) => {
  await open(address(start, 4));
  let panel = await openTables(page);
  const { name, bytes } = await save(page, panel);
  await panel.getByText("Load tables").click();
  const picker = panel.getByLabel("Table files");
  const refused = panel.locator(".working .bad");

  const damaged = Buffer.from(bytes);
  damaged[Math.floor(bytes.length / 2)] ^= 1;
  for (const [files, words] of [
    [[file(name, damaged)], /damaged|checksum/i],
    [[file(name, bytes.subarray(0, 500))], /.{20}/],
    [[file("cat.pdb", Buffer.from("not a table at all"))], /.{20}/],
    [[file("empty.pdb", Buffer.alloc(0))], /.{10}/],
    [[file("notes.txt", Buffer.from("x"))], /There is no table file among these/],
  ]) {
    await picker.setInputFiles(files);
    await refused.filter({ hasText: words }).waitFor();
    const text = (await refused.textContent()).trim();
    assert.match(text, /[.!]$/, `a sentence: ${text}`);
    assert.doesNotMatch(text, /undefined|\[object|panicked|RuntimeError/);
  }
  // Earlier tables continue to work.
  assert.match(await solve(page), /^55 moves/);

  panel = await openTables(page);
  const saved = [];
  for (const each of await panel.getByRole("button", { name: /^Save the table/ }).all()) {
    const [download] = await Promise.all([page.waitForEvent("download"), each.click()]);
    saved.push(file(download.suggestedFilename(), readFileSync(await download.path())));
    await panel.getByText(/: saved\.$/).waitFor();
  }
  await panel.getByText("Load tables").click();
  await panel.getByLabel("Table files").setInputFiles(saved);
  await panel.getByText("3 files: loaded and checked.").waitFor();
  assert.equal(await panel.getByText("Loaded, checksums agree").count(), 3);
  assert.match(await solve(page), /^55 moves/);
});

flow("the reason for smaller tables", async ({ page, open }) => {
  await open(address(ordered(25), 5));
  const panel = await openPanel(page, "Tables");
  await panel.getByRole("heading", { name: "5x5: 5-5-5-5-4" }).waitFor();
  await panel.getByText(/^Tables of 6-6-6-6 are missing .*: 5-5-5-5-4 instead\.$/).waitFor();
  await panel.getByText("Choose another partition").click();
  const usual = panel.getByRole("radio", { name: /^5-5-5-5-4 usual for this size/ });
  assert.ok(await usual.isChecked());
  assert.equal(await panel.getByRole("radio").count(), 4);
});

flow("other partitions, and none", async ({ page, open }) => {
  await open(address(start, 4));
  const panel = await openTables(page);
  await panel.getByText("Choose another partition").click();
  await panel.getByRole("radio", { name: /^5-5-5/ }).check();
  await panel.getByRole("heading", { name: "4x4: 5-5-5" }).waitFor();
  await panel.getByText("Tables 5-5-5: ready.").waitFor();
  await panel.getByLabel("Another partition").fill("9-9-9");
  await button(panel, "Build").click();
  await panel.locator(".working .bad").filter({ hasText: /.{20}/ }).waitFor();
  await panel.getByRole("radio", { name: /^none/ }).check();
  await panel.getByText("No tables: ready.").waitFor();
  await boardIs(page, start);
});

const missing = { allow: /404|ERR_CONNECTION|Failed to load/ };
flow("a bundle by its address: none there, another site, no bundle", missing, async (it) => {
  const { page, open } = it;
  await open(address(start, 4));
  const panel = await openTables(page);
  await panel.getByText("Load tables").click();
  const refused = panel.locator(".working .bad");
  for (const [text, words] of [
    ["tables/manifest.json", /404|not found|Check the address/i],
    ["https://example.org/manifest.json", /only from its own site/],
    ["icon.svg", /.{20}/],
  ]) {
    await panel.getByLabel("Address on this site").fill(text);
    await button(panel, "Load").click();
    await refused.filter({ hasText: words }).waitFor();
  }
  await fold(page).getByText("Memory and storage").click();
  await panel.getByText(/^Kept in this browser: 0 B/).waitFor();
});
