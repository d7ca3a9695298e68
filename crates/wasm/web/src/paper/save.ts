/** The solution as files, drawn by the package: an animation and pictures. */
import { settings } from "../common/settings.svelte.ts";
import { game } from "../game/game.svelte.ts";
import { boardText } from "../game/rules.ts";
import { download } from "../common/download.ts";
import { drawing } from "../picture/drawing.ts";
import { picture } from "../picture/picture.svelte.ts";
import type { Solution } from "../solve/solution.ts";
import { groupsOf } from "../solve/moves.ts";
import { text } from "../text/text.svelte.ts";
import { MARGIN, contactLayout } from "./contact.ts";
import { lengthText } from "./content.ts";
import { type Embedding, scaledTo, withPicture, withinTime } from "./embedding.ts";
import { drawingsOf, spacing } from "./plan.ts";

/** The longer side of a picture of one board, in pixels. */
const BOARD_SIDE = 1200;

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

/** An SVG drawing rendered for a canvas. */
async function rasterised(svg: string): Promise<HTMLImageElement> {
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    return image;
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** The current board as a PNG file. */
export async function saveBoard(): Promise<void> {
  const { tiles, columns, size } = game;
  const { svg, ...extent } = scaledTo(drawn(tiles, columns, await embedding(columns)), BOARD_SIDE);
  const image = await rasterised(svg);
  const blob = await drawing(extent, (canvas) => canvas.drawImage(image, 0, 0), "image/png");
  download(`board-${size}.png`, "image/png", blob);
}

/** The board at the start and after every few moves of the solution, in one PNG file. */
export async function saveContactSheet(solution: Solution): Promise<void> {
  const { board, columns, ends } = solution;
  const embedded = await embedding(columns);
  const every = spacing(ends.length, board.length);
  const boards = [{ made: 0, tiles: board }, ...drawingsOf(solution, every)];
  // A cell needs about 24 pixels for a legible number of two digits, and 30 for three digits.
  const rows = board.length / columns;
  const cell = board.length > 100 ? 30 : 24;
  const side = Math.max(180, Math.max(columns, rows) * cell);
  const images: HTMLImageElement[] = [];
  for (const { tiles } of boards) {
    images.push(await rasterised(scaledTo(drawn(tiles, columns, embedded), side).svg));
  }
  const layout = contactLayout(boards.length, images[0].width, images[0].height);
  const blob = await drawing(
    { width: layout.width, height: layout.height },
    (canvas) => {
      canvas.fillStyle = "#000";
      canvas.textBaseline = "top";
      canvas.font = "600 24px system-ui, sans-serif";
      canvas.fillText(text.paper.solutionTitle(game.size), MARGIN, 20, layout.width - 2 * MARGIN);
      canvas.font = "18px system-ui, sans-serif";
      canvas.fillText(lengthText(solution), MARGIN, 54, layout.width - 2 * MARGIN);
      images.forEach((image, index) => {
        const { x, y } = layout.place(index);
        canvas.drawImage(image, x, y);
        const { made } = boards[index];
        const caption = made === 0 ? text.paper.board : text.paper.after(made);
        canvas.fillText(caption, x, y + image.height + 6, image.width);
      });
    },
    "image/png",
  );
  download(`steps-${game.size}.png`, "image/png", blob);
}
