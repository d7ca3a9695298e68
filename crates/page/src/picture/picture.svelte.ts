import { notices } from "../common/notice.svelte.ts";
import { panel } from "../common/panel.svelte.ts";
import { game } from "../game/game.svelte.ts";
import { isTextFile, offerFile } from "../game/offer.ts";
import { text } from "../text/text.svelte.ts";
import { drawing, type Extent, fitted, type Rectangle, refitted } from "./drawing.ts";
import { forgetPicture, keepPicture, keptPicture } from "./storage.ts";

/** A picture with its crop and its origin. */
export interface Cropped {
  blob: Blob;
  extent: Extent;
  crop: Rectangle;
  /** A web address or the name of a built-in picture, for links. */
  origin?: string | undefined;
}

/** The longer side of the picture on the board, in pixels. */
const longestSide = 1600;

/**
 * The picture on the tiles. The browser stores the uncropped picture, so that it can be cropped
 * again for a board of another shape. The picture is never uploaded.
 */
class Picture {
  /** The address of the picture, cropped to the ratio of the board. */
  url = $state<string | null>(null);
  /** A file or an address that was dropped or pasted, for the dialog. */
  offered = $state.raw<Blob | string | null>(null);
  cropped = $state.raw<Cropped | null>(null);
  /**
   * Whether the visitor has chosen a picture since the page was loaded. The stored picture, which
   * is read later, must not replace the chosen picture.
   */
  #chosen = false;

  constructor() {
    if (typeof document === "undefined") return;
    $effect.root(() => {
      $effect(() => {
        const cropped = this.cropped;
        const ratio = game.columns / game.rows;
        let isCurrent = true;
        if (cropped === null) this.#show(null);
        else {
          cut(cropped, ratio).then(
            (blob) => isCurrent && this.#show(blob),
            () => {
              if (isCurrent) tell(text.picture.notDrawn);
            },
          );
        }
        return () => (isCurrent = false);
      });
    });
    void this.#restore();
    listen(this);
  }

  /** Shows a picture on the tiles, and stores it for the next visit. */
  async use(cropped: Cropped): Promise<void> {
    this.#chosen = true;
    this.cropped = cropped;
    try {
      const { blob, extent, crop, origin } = cropped;
      const bytes = await blob.arrayBuffer();
      await keepPicture({ bytes, type: blob.type, ...extent, crop: { ...crop }, origin });
    } catch {
      tell(text.picture.notStored);
    }
  }

  /** Removes the picture from the tiles and from the storage. */
  clear(): void {
    this.#chosen = true;
    this.cropped = null;
    forgetPicture().catch(() => {
      // If the browser denies storage, there is no stored picture to delete.
    });
  }

  /** Opens the picture dialog with a file or an address that may be a picture. */
  offer(offered: Blob | string): void {
    this.offered = offered;
    panel.dialog = "picture";
  }

  #show(blob: Blob | null): void {
    const before = this.url;
    this.url = blob && URL.createObjectURL(blob);
    // Revokes the old address later, since tiles that are being drawn may still request it.
    if (before !== null) setTimeout(() => URL.revokeObjectURL(before), 2000);
  }

  async #restore(): Promise<void> {
    const kept = await keptPicture().catch(() => null);
    if (kept === null || this.#chosen) return;
    const { bytes, type, width, height, crop, origin } = kept;
    this.cropped = { blob: new Blob([bytes], { type }), extent: { width, height }, crop, origin };
  }
}

const tell = (words: string) => notices.add({ text: words, kind: "bad" });

async function cut({ blob, extent, crop }: Cropped, ratio: number): Promise<Blob> {
  const { x, y, width, height } = refitted(crop, ratio, extent);
  const image = new Image();
  const url = URL.createObjectURL(blob);
  try {
    image.src = url;
    await image.decode();
    const size = fitted({ width, height }, longestSide);
    return await drawing(size, (context) =>
      context.drawImage(image, x, y, width, height, 0, 0, size.width, size.height),
    );
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** Pictures can be dropped anywhere on the page, and pasted outside of text fields. */
function listen(picture: Picture): void {
  const hasPicture = (transfer: DataTransfer | null): transfer is DataTransfer =>
    transfer !== null &&
    (transfer.types.includes("Files") || transfer.types.includes("text/uri-list"));
  let hintIsThere = false;
  window.addEventListener("dragover", (event) => {
    if (!hasPicture(event.dataTransfer)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
    if (hintIsThere) return;
    hintIsThere = true;
    void import("./drop.ts").then(({ showDropHint }) => showDropHint());
  });
  window.addEventListener("drop", (event) => {
    if (!hasPicture(event.dataTransfer)) return;
    // Otherwise the browser would leave the page and open the file.
    event.preventDefault();
    const file = event.dataTransfer.files[0];
    const address = event.dataTransfer.getData("text/uri-list").split(/\r?\n/)[0];
    if (file && isTextFile(file)) void offerFile(file);
    else if (file) picture.offer(file);
    else if (address) picture.offer(address);
  });
  window.addEventListener("paste", (event) => {
    const files = [...(event.clipboardData?.files ?? [])];
    const file = files.find(({ type }) => type.startsWith("image/"));
    if (!file) return;
    event.preventDefault();
    picture.offer(file);
  });
}

export const picture = new Picture();
