/**
 * Printing, by the page's button or the browser's command. The button always prints the sheet. The
 * command also prints it if no panel is open, or if Solve or Help is open. With any other panel,
 * the command prints the panel.
 */
import { flushSync, mount, unmount } from "svelte";
import { panel } from "../common/panel.svelte.ts";
import { contentNow } from "./plan.ts";
import PaperPicture from "./PaperPicture.svelte";
import "./print.css";
import Sheet from "./Sheet.svelte";

/**
 * Milliseconds until the sheet is removed after printing: some browsers read the page only after
 * `afterprint`.
 */
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

/** Renders the sheet synchronously, since browsers print without waiting for other tasks. */
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

/** Prepares the page for printing. Call this once. */
export function preparePrinting(): void {
  mount(PaperPicture, { target: document.body });
  addEventListener("beforeprint", begin);
  addEventListener("afterprint", end);
  // Tools that preview the printed page do not send these events. They only change the medium.
  const medium = matchMedia("print");
  medium.addEventListener("change", ({ matches }) => (matches ? begin() : end()));
  if (medium.matches) begin();
}

/** Opens the browser's print dialog, which can also save a PDF. */
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
