/** Texts that can contain a board: opened or dropped files, and text pasted onto the page. */
import { notices } from "../common/notice.svelte.ts";
import { panel } from "../common/panel.svelte.ts";
import { text as texts } from "../text/text.svelte.ts";
import { readBoard } from "./address.ts";
import { game } from "./game.svelte.ts";
import { loadRules } from "./session.svelte.ts";

/** Maximum size of a file with a board, in bytes. */
const MOST_BYTES = 1e6;

/** Whether a file is text, by its type and name. */
export const isTextFile = ({ type, name }: File): boolean =>
  /^text\/|^application\/json$/.test(type) || /\.(txt|csv|json)$/i.test(name);

/** Opens a text file with a board. */
export async function offerFile(file: File): Promise<void> {
  const text = file.size > MOST_BYTES ? "\0" : await file.text().catch(() => "\0");
  if (text.includes("\0")) notices.add({ text: texts.game.notText, kind: "bad" });
  else offerText(text);
}

/** Opens the dialog for a pasted text, if the text contains a board. */
export async function offerPasted(text: string): Promise<void> {
  const puzzle = await loadRules();
  if (puzzle && typeof readBoard(puzzle, text, game.size) !== "string") offerText(text);
}

/** Opens the dialog for a text. */
function offerText(text: string): void {
  panel.pasted = text;
  panel.dialog = "board";
}
