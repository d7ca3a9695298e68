/** The solution as a file, drawn by the package: an animation, with its picture embedded. */
import { settings } from "../common/settings.svelte.ts";
import { game } from "../game/game.svelte.ts";
import { boardText, cellsOf } from "sliding-tile-pdb/board-rules";
import { loadRules } from "../game/session.svelte.ts";
import { notices } from "../common/notice.svelte.ts";
import { text } from "../text/text.svelte.ts";
import { download } from "../common/browser.ts";
import { picture } from "../picture/picture.svelte.ts";
import type { Solution } from "../solve/solution.ts";
import { groupsOf } from "../solve/moves.ts";

/** The picture on the tiles, for embedding; `null` without a picture. */
async function embedding(columns: number): Promise<Embedding | null> {
  if (picture.url === null) return null;
  const blob = await (await fetch(picture.url)).blob();
  const data = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error as Error);
    reader.readAsDataURL(blob);
  });
  return { data, goal: game.goal, columns, numbers: settings.numbers };
}

/** The solution as an SVG file that plays it in a loop. */
export async function saveAnimation({ board, columns, letters }: Solution): Promise<void> {
  const [puzzle, embedded] = await Promise.all([loadRules(), embedding(columns)]);
  if (puzzle === null) throw new Error("no rules");
  const options = { goal: game.goalText, style: "svg", moves: groupsOf(letters) } as const;
  const drawn = puzzle.draw(boardText(board, columns), options);
  const svg = embedded === null ? drawn : withPicture(drawn, embedded);
  const name = `solution-${game.size}.svg`;
  download(name, "image/svg+xml", withinTime(svg));
  notices.flash(text.paper.saved(name));
}

const namespace = "http://www.w3.org/2000/svg";
const id = "sliding-tile-picture";

export interface Embedding {
  /** The picture as a `data:` address, cropped to the ratio of the board. */
  data: string;
  goal: readonly number[];
  columns: number;
  /** Whether pieces show the numbers of their tiles. */
  numbers: boolean;
}

/** An SVG drawing of a board whose tiles have pieces of the picture. */
export function withPicture(svg: string, { data, goal, columns, numbers }: Embedding): string {
  const parsed = new DOMParser().parseFromString(svg, "image/svg+xml");
  const element = (name: string, attributes: Record<string, string | number>) => {
    const made = parsed.createElementNS(namespace, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
    return made;
  };
  const homes = cellsOf(goal);
  const rows = goal.length / columns;
  const image = { id, href: data, width: columns, height: rows, preserveAspectRatio: "none" };
  const definitions = element("defs", {});
  definitions.append(element("image", image));
  parsed.documentElement.append(definitions);
  for (const number of parsed.querySelectorAll("g > text")) {
    const face = number.previousElementSibling;
    const home = homes[Number(number.textContent)];
    if (face === null || home === undefined) continue;
    const box = ["x", "y", "width", "height"].map((name) => [name, face.getAttribute(name) ?? ""]);
    const piece = element("svg", {
      ...Object.fromEntries(box),
      viewBox: `${home % columns} ${Math.floor(home / columns)} 1 1`,
    });
    piece.append(element("use", { href: `#${id}` }));
    face.after(piece);
    if (!numbers) number.remove();
    // Black with a white outline is visible on any picture.
    else number.setAttribute("style", "stroke:#fff;stroke-width:.15em;paint-order:stroke");
  }
  return new XMLSerializer().serializeToString(parsed);
}

/** Maximum duration of an animation in milliseconds; longer animations are accelerated. */
const LONGEST = 120_000;

/** Accelerates an animation of the package that takes longer than `LONGEST`. */
export function withinTime(svg: string): string {
  return svg.replace(
    /animation:(\d+)ms/,
    (_, time: string) => `animation:${Math.min(LONGEST, Number(time))}ms`,
  );
}
