/** Sharing a link to the board, to its solution or to the game so far. */
import { bytesText } from "../common/format.ts";
import { notices } from "../common/notice.svelte.ts";
import { picture } from "../picture/picture.svelte.ts";
import { gameKey, playback } from "../solve/playback.svelte.ts";
import { text } from "../text/text.svelte.ts";
import { copy } from "./clipboard.ts";
import { game } from "./game.svelte.ts";
import { linkTo, type LinkKind, SAFE_LENGTH } from "./links.ts";

/** Opens the system's sheet with the link. Without such a sheet, the link is copied. */
export async function share(kind: LinkKind): Promise<void> {
  const { solution } = playback;
  const own = solution?.game === gameKey(game) ? solution : null;
  const url = linkTo(kind, game, own, picture.cropped?.origin);
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
  await copy(url, text.game.linkCopied);
}
