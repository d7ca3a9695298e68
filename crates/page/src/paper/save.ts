/** The solution as a file, drawn by the package: an animation. */
import { settings } from "../common/settings.svelte.ts";
import { game } from "../game/game.svelte.ts";
import { boardText } from "../game/rules.ts";
import { download } from "../common/download.ts";
import { picture } from "../picture/picture.svelte.ts";
import type { Solution } from "../solve/solution.ts";
import { groupsOf } from "../solve/moves.ts";
import { text } from "../text/text.svelte.ts";
import { type Embedding, withPicture, withinTime } from "./embedding.ts";

/** The picture on the tiles, for embedding; `null` without a picture. */
async function embedding(columns: number): Promise<Embedding | null> {
  if (picture.url === null) return null;
  const blob = await (await fetch(picture.url)).blob();
  const data = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error ?? new Error(text.paper.noPicture));
    reader.readAsDataURL(blob);
  });
  return { data, goal: game.goal, columns, numbers: settings.numbers };
}

/** An SVG drawing of a board, animated if there are moves. */
function drawn(
  tiles: readonly number[],
  columns: number,
  embedded: Embedding | null,
  letters?: string,
): string {
  const { puzzle, goalText: goal } = game;
  if (puzzle === null) throw new Error(text.paper.noRules);
  const svg = puzzle.draw(boardText(tiles, columns), {
    goal,
    style: "svg",
    ...(letters === undefined ? {} : { moves: groupsOf(letters) }),
  });
  return embedded === null ? svg : withPicture(svg, embedded);
}

/** The solution as an SVG file that plays it in a loop. */
export async function saveAnimation({ board, columns, letters }: Solution): Promise<void> {
  const svg = drawn(board, columns, await embedding(columns), letters);
  download(`solution-${game.size}.svg`, "image/svg+xml", withinTime(svg));
}
