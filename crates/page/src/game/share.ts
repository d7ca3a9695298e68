/** Links to this page with a board, and optionally a goal, moves and a picture, to be shared. */
import { bytesText } from "../common/format.ts";
import { copy, notices } from "../common/notice.svelte.ts";
import { picture } from "../picture/picture.svelte.ts";
import { gameKey, playback } from "../solve/playback.svelte.ts";
import { text } from "../text/text.svelte.ts";
import { addressOf, game, type Game } from "./game.svelte.ts";
import { write } from "./address.ts";
import type { Solution } from "../solve/solution.ts";

/** Opens the system's sheet with the link. Without such a sheet, the link is copied. */
export async function share(kind: LinkKind): Promise<void> {
  playback.pause();
  const { solution } = playback;
  const own = solution?.game === gameKey(game) ? solution : null;
  const url = linkTo(kind, game, own, picture.cropped?.origin);
  const isOwn = picture.cropped !== null && picture.cropped.origin === undefined;
  await shareLink(url, isOwn ? ` ${text.game.linkNoPicture}` : "");
}

/** Shares a link, or its part from the `#`; `words` follow the message that it is copied. */
export async function shareLink(link: string, words = ""): Promise<void> {
  const url = new URL(link, location.href).href;
  if (url.length > SAFE_LENGTH) notices.flash(text.game.linkLong(bytesText(url.length)));
  if (typeof navigator.share === "function") {
    try {
      await navigator.share({ title: document.title, url });
      return;
    } catch (error) {
      // The visitor closed the sheet.
      if (error instanceof DOMException && error.name === "AbortError") return;
    }
  }
  await copy(url, text.game.linkCopied + words);
}

/** Link length in bytes that all common programs accept. */
export const SAFE_LENGTH = 8000;

const page = (): string => location.href.replace(/#.*/, "");

/** Content that a link opens. */
export type LinkKind = "board" | "solution" | "game";

/** A link to the given content. `solution` is the solution of the current game, if any. */
export function linkTo(
  kind: LinkKind,
  game: Game,
  solution: Solution | null,
  picture?: string,
): string {
  const { columns, rows, goal } = game;
  const shared = { columns, rows, goal, ...(picture && { picture }) };
  if (kind === "game") {
    return page() + write({ ...shared, tiles: game.start, moves: game.moves });
  }
  if (kind === "solution" && solution) {
    return page() + write({ ...shared, tiles: [...solution.board], moves: solution.letters });
  }
  return page() + (picture ? write({ ...shared, tiles: game.tiles }) : addressOf(game));
}
