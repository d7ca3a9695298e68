/** Parts of a link besides its board: moves for playback, and a picture. */
import type { Puzzle } from "sliding-tile-pdb";
import { announce, notices } from "../common/notice.svelte.ts";
import { largest } from "../picture/drawing.ts";
import { picture } from "../picture/picture.svelte.ts";
import { keptPicture } from "../picture/storage.ts";
import { enter, faultText, isFault, readMoves } from "./entered.ts";
import { text } from "../text/text.svelte.ts";
import { type Address, unpackMoves } from "./address.ts";
import { game } from "./game.svelte.ts";

/** Milliseconds for which the offer of a picture is shown. */
const OFFER_TIME = 8000;

/**
 * Offers the moves of a link for playback. Call this once the board is loaded. Invalid moves change
 * nothing; a notice states the error.
 */
export function bringMoves(puzzle: Puzzle, { moves: written, tiles }: Address): void {
  if (written === undefined) return;
  if (tiles === undefined) return tell(text.game.linkMovesAlone);
  let letters: string;
  try {
    letters = unpackMoves(written) ?? written;
  } catch (error) {
    return tell(error instanceof Error ? error.message : String(error));
  }
  const found = readMoves(puzzle, letters, game.tiles, game.columns, game.goal);
  if (isFault(found)) return tell(text.game.linkBadMoves(faultText(found, game.columns)));
  if (found.letters === "") return;
  const solves = enter(found.letters, { isFromLink: true });
  const { length } = found.letters;
  announce(solves ? text.game.linkHasSolution(length) : text.game.linkHasMoves(length));
}

/**
 * A built-in picture is shown immediately unless the visitor already has one. Any other picture is
 * only offered: its host receives a request only if the visitor accepts.
 */
export async function bringPicture({ picture: named }: Address): Promise<void> {
  if (named === undefined) return;
  const [{ builtinBlob, builtins }, { webAddress }] = await Promise.all([
    import("../picture/builtin.ts"),
    import("../picture/address.ts"),
  ]);
  const builtin = builtins.find(({ name }) => name.toLowerCase() === named.toLowerCase());
  const url = builtin ? null : webAddress(named);
  if (!builtin && (url === null || url.protocol === "data:")) return tell(text.game.linkBadPicture);
  const present = picture.cropped ?? (await keptPicture().catch(() => null));
  if (present?.origin === named) return;
  const use = async () => {
    if (!builtin) return picture.offer(named);
    const { readPicture } = await import("../picture/source.ts");
    const { blob, extent } = await readPicture(builtinBlob(builtin));
    const crop = largest(extent, game.columns / game.rows);
    await picture.use({ blob, extent, crop, origin: named });
  };
  if (builtin && present === null) return use();
  const words = text.game.linkHasPicture(builtin?.name ?? url?.host ?? "");
  notices.flash(words, { label: text.game.linkUsePicture, run: () => void use() }, OFFER_TIME);
}

const tell = (words: string) => notices.add({ text: words, kind: "bad" });
