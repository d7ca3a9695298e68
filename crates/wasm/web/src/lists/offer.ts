/** Texts that come from outside and have boards: files, and what is pasted onto the page. */
import { notices } from "../common/notice.svelte.ts";
import { panel } from "../common/panel.svelte.ts";
import { game } from "../game/game.svelte.ts";
import { looksLikeBoard } from "../game/reading.ts";
import { text as texts } from "../text/text.svelte.ts";
import { looksLikeList } from "./reading.ts";

/** The most bytes of a list: ten thousand boards of 20x20 have more than anybody reads. */
const MOST_BYTES = 20e6;

/** Whether a file is a text, by its type and its name. */
export const isTextFile = ({ type, name }: File): boolean =>
  /^text\/|^application\/(json|csv)$/.test(type) || /\.(txt|csv|tsv|json|lst|list)$/i.test(name);

/** The text of a file; `null`: it has none. */
export async function textOf(file: File): Promise<string | null> {
  if (file.size > MOST_BYTES) return null;
  const text = await file.text().catch(() => "\0");
  return text.includes("\0") ? null : text;
}

/** Opens a text file: one board, or a list of them. */
export async function offerFile(file: File): Promise<void> {
  const text = await textOf(file);
  if (text === null) notices.add({ text: texts.lists.notText, kind: "bad" });
  else offerText(text);
}

/** Whether a pasted text may be a board or a list of boards, which may begin with comments. */
export const mayBeBoards = (text: string): boolean =>
  looksLikeBoard(text) || looksLikeBoard(firstLine(text));

const firstLine = (text: string): string =>
  text.split(/\r\n?|\n/).find((line) => line.trim() !== "" && !/^\s*#\s/.test(line)) ?? "";

/** Opens the dialog that suits a text. */
export function offerText(text: string): void {
  if (game.puzzle && looksLikeList(game.puzzle, text, game.size)) {
    panel.pastedList = text;
    panel.dialog = "list";
  } else {
    panel.pasted = text;
    panel.dialog = "board";
  }
}
