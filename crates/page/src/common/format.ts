/**
 * Numbers, moves, tiles and cells in the language of the page: short numbers for places of fixed
 * width, exact numbers elsewhere.
 */
import { language, text } from "../text/text.svelte.ts";
import type { TileMove } from "sliding-tile-pdb";
import type { Way } from "sliding-tile-pdb/board-rules";

interface Formats {
  whole: Intl.NumberFormat;
  threeDigits: Intl.NumberFormat;
  tenths: Intl.NumberFormat;
}

const formats = new Map<string, Formats>();

/**
 * Formats of the current language; the value is reactive. Creating the first formats of a page
 * takes 30 ms.
 */
export function format(): Formats {
  const { code } = language;
  let own = formats.get(code);
  if (!own) {
    own = {
      whole: new Intl.NumberFormat(code, { maximumFractionDigits: 0 }),
      threeDigits: new Intl.NumberFormat(code, { maximumSignificantDigits: 3 }),
      tenths: new Intl.NumberFormat(code, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
    };
    formats.set(code, own);
  }
  return own;
}

/** `12,345`; from a million on `1.23 M`. */
export function countText(count: number): string {
  const { whole, threeDigits } = format();
  const { million, billion } = text.solve.units;
  if (count < 1e6) return whole.format(count);
  if (count < 999.5e6) return `${threeDigits.format(count / 1e6)} ${million}`;
  return `${threeDigits.format(count / 1e9)} ${billion}`;
}

/** `0.4 ms`, `12 ms`, `3.4 s`, `2 min 5 s`, `3 min`. */
export function timeText(ms: number): string {
  const { threeDigits, tenths } = format();
  if (ms < 10) return `${threeDigits.format(Math.max(0.1, Math.round(ms * 10) / 10))} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${tenths.format(ms / 1000)} s`;
  const seconds = Math.round(ms / 1000);
  const minutes = `${Math.floor(seconds / 60)} min`;
  return seconds % 60 === 0 ? minutes : `${minutes} ${seconds % 60} s`;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365.25 * DAY;

/** A forecast, with one significant digit: `20 s`, `3 h`, `5 days`, `2,000 years`. */
export function roughTimeText(ms: number): string {
  const { durations } = text.solve;
  const round = (count: number) => {
    const digits = count < 10 ? 1 : 10 ** Math.floor(Math.log10(count));
    return format().whole.format(Math.max(1, Math.round(count / digits) * digits));
  };
  if (ms < 90_000) return `${round(ms / 1000)} s`;
  if (ms < 90 * MINUTE) return `${round(ms / MINUTE)} min`;
  if (ms < 2 * DAY) return `${round(ms / HOUR)} h`;
  if (ms < 2 * YEAR) return durations.days(round(ms / DAY));
  return durations.years(round(ms / YEAR));
}

/** A ratio: `1.3`, `24.1`, `118,000`. */
export function factorText(factor: number): string {
  if (factor < 9.95) return format().tenths.format(factor);
  return factor < 1e6 ? format().threeDigits.format(factor) : countText(factor);
}

/** `512 B`, `2.81 MB`: the units are powers of 1000, as in browsers. */
export function bytesText(bytes: number): string {
  const { threeDigits } = format();
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 999_500) return `${threeDigits.format(bytes / 1e3)} kB`;
  if (bytes < 999.5e6) return `${threeDigits.format(bytes / 1e6)} MB`;
  return `${threeDigits.format(bytes / 1e9)} GB`;
}

/** `1 node`, `1,234,567 nodes`: exact, so that results can be compared. */
export function nodesCount(count: number): string {
  return text.solve.nodeCount(count, format().whole.format(count));
}

/** `0.123`, `1.50`, `21.9`, `1,324`: three significant digits, with thousands separators. */
export function long(value: number): string {
  const size = Math.abs(value);
  const digits = size >= 100 || Number.isInteger(value) ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
  return value.toLocaleString(language.code, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

export const placeWords = (cell: number, columns: number): string =>
  text.element.place(Math.floor(cell / columns) + 1, (cell % columns) + 1);

/** `1 move`, `12 moves`. */
export const movesText = (count: number): string => text.solve.moves(count, countText(count));

/** `3, 4 and 8`. */
export function listText(tiles: readonly number[]): string {
  if (tiles.length < 2) return tiles.join("");
  return text.solve.and(tiles.slice(0, -1).join(", "), String(tiles.at(-1)));
}

export const tilesText = (tiles: readonly number[]): string =>
  tiles.length === 1 ? text.advice.tile(tiles[0]) : text.advice.tiles(listText(tiles));

/** `tile 7 right`, `tiles 3, 4 and 8 up`. */

export function moveText(move: Pick<TileMove, "moves"> & { tiles: readonly number[] }): string {
  return `${tilesText(move.tiles)} ${text.advice.ways[move.moves.charAt(0) as Way]}`;
}
