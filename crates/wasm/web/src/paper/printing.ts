/**
 * Printing, by the page's button or by the browser's own command. With the Solve or the Help panel,
 * or without one, the sheet is printed in place of the page; other panels are printed as they are.
 */
import { flushSync, mount, unmount } from "svelte";
import { panel } from "../common/panel.svelte.ts";
import { contentNow } from "./content.ts";
import PaperPicture from "./PaperPicture.svelte";
import "./print.css";
import Sheet from "./Sheet.svelte";

/** Some browsers read the page only after they have said that printing is over: milliseconds. */
const KEPT = 60_000;

let sheet: Record<string, never> | null = null;
let isCurrent = false;
let isForced = false;
let timer: ReturnType<typeof setTimeout> | undefined;

function remove(): void {
  clearTimeout(timer);
  if (sheet === null) return;
  void unmount(sheet);
  sheet = null;
  delete document.body.dataset.paper;
}

/** Puts the sheet into the page, at once: browsers do not wait. */
function begin(): void {
  if (isCurrent) return;
  remove();
  const hasSheet = panel.open === null || panel.open === "solve" || panel.open === "advice";
  if (!isForced && !hasSheet) return;
  isCurrent = true;
  sheet = mount(Sheet, { target: document.body, props: { content: contentNow() } });
  flushSync();
  document.body.dataset.paper = "sheet";
}

function end(): void {
  isCurrent = false;
  clearTimeout(timer);
  timer = setTimeout(remove, KEPT);
}

/** Called once. */
export function preparePrinting(): void {
  mount(PaperPicture, { target: document.body });
  addEventListener("beforeprint", begin);
  addEventListener("afterprint", end);
  // Tools that show a page as it is printed say it by the medium alone.
  const medium = matchMedia("print");
  medium.addEventListener("change", ({ matches }) => (matches ? begin() : end()));
  if (medium.matches) begin();
}

/** Opens the browser's dialog for printing, which also saves PDF files. */
export function printSheet(): void {
  isForced = true;
  try {
    begin();
    window.print();
  } finally {
    isForced = false;
    end();
  }
}
