import { text } from "../text/text.svelte.ts";

export const placeWords = (cell: number, columns: number): string =>
  text.element.place(Math.floor(cell / columns) + 1, (cell % columns) + 1);
