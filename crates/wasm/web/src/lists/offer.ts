/** Texts that can contain boards: opened or dropped files, and text pasted onto the page. */
import { notices } from "../common/notice.svelte.ts";
import { panel } from "../common/panel.svelte.ts";
import { game } from "../game/game.svelte.ts";
import { looksLikeBoard } from "../game/reading.ts";
import { text as texts } from "../text/text.svelte.ts";
import { looksLikeList } from "./reading.ts";

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

/** Whether a pasted text can be a board or a list of boards, which can begin with comments. */
export const mayBeBoards = (text: string): boolean =>
  looksLikeBoard(text) || looksLikeBoard(firstLine(text));

const firstLine = (text: string): string =>
  text.split(/\r\n?|\n/).find((line) => line.trim() !== "" && !/^\s*#\s/.test(line)) ?? "";

/** Opens the dialog for a text. */
export function offerText(text: string): void {
  if (game.puzzle && looksLikeList(game.puzzle, text, game.size)) {
    panel.pastedList = text;
    panel.dialog = "list";
  } else {
    panel.pasted = text;
    panel.dialog = "board";
  }
}
