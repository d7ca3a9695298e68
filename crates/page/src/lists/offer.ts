/** Texts that can contain boards: opened or dropped files, and text pasted onto the page. */
import { notices } from "../common/notice.svelte.ts";
import { panel } from "../common/panel.svelte.ts";
import { game } from "../game/game.svelte.ts";
import { text as texts } from "../text/text.svelte.ts";
import { boardsIn } from "./reading.ts";

/** Maximum size of a list in bytes, enough for thousands of boards of 20x20. */
const MOST_BYTES = 20e6;

/** Whether a file is text, by its type and name. */
export const isTextFile = ({ type, name }: File): boolean =>
  /^text\/|^application\/(json|csv)$/.test(type) || /\.(txt|csv|tsv|json|lst|list)$/i.test(name);

/** The text of a file; `null` if it is not text. */
export async function textOf(file: File): Promise<string | null> {
  if (file.size > MOST_BYTES) return null;
  const text = await file.text().catch(() => "\0");
  return text.includes("\0") ? null : text;
}

/** Opens a text file with one board or a list. */
export async function offerFile(file: File): Promise<void> {
  const text = await textOf(file);
  if (text === null) notices.add({ text: texts.lists.notText, kind: "bad" });
  else offerText(text);
}

/** Whether a pasted text contains a board. */
export const hasBoards = (text: string): boolean =>
  game.puzzle !== null && boardsIn(game.puzzle, text, game.size) > 0;

/** Opens the dialog for a text. */
export function offerText(text: string): void {
  if (game.puzzle && boardsIn(game.puzzle, text, game.size) > 1) {
    panel.pastedList = text;
    panel.dialog = "list";
  } else {
    panel.pasted = text;
    panel.dialog = "board";
  }
}
