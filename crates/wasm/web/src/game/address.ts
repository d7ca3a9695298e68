import { boardText, isBoard, isSide, isSame, largest, ordered, smallest } from "./rules.ts";

/** What the address of the page says after the `#`. */
export interface Address {
  columns: number;
  rows: number;
  /** Absent: any board of that size. */
  tiles?: number[];
  /** Absent: the blank last. */
  goal?: number[];
}

/** `#4x4&board=5,10,14,7/8,3,...&goal=...`: easy to read, to change by hand and to send. */
export function write(address: Required<Address>): string {
  const { columns, rows, tiles, goal } = address;
  const text = (numbers: number[]) => boardText(numbers, columns).replaceAll(" ", ",");
  const parts = [`${columns}x${rows}`, `board=${text(tiles)}`];
  if (!isSame(goal, ordered(goal.length))) parts.push(`goal=${text(goal)}`);
  return "#" + parts.join("&");
}

/**
 * Reads what `write` writes, and the same written by hand. `null` where there is nothing to read.
 * @throws Error with a sentence for the visitor
 */
export function read(hash: string): Address | null {
  const parts = hash.replace(/^#/, "").split("&").filter(Boolean);
  if (parts.length === 0) return null;
  const fields = new Map<string, string>();
  for (const part of parts) {
    const [name, value] = part.includes("=") ? part.split("=", 2) : ["size", part];
    try {
      fields.set(name, decodeURIComponent(value));
    } catch {
      fields.set(name, value);
    }
  }

  const board = fields.get("board");
  const size = fields.get("size") ?? (board && sizeOf(board));
  const sides = size && /^(\d+)x(\d+)$/.exec(size);
  if (!sides) {
    throw new Error(
      `The address has no size such as 4x4 (columns x rows)${size ? `, but "${size}"` : ""}.`,
    );
  }
  const [columns, rows] = [Number(sides[1]), Number(sides[2])];
  if (!isSide(columns) || !isSide(rows)) {
    throw new Error(
      `The address asks for a ${size} board; boards are from ${smallest}x${smallest} to ` +
        `${largest}x${largest}.`,
    );
  }
  const tiles = board === undefined ? undefined : numbers(board, "board", columns, rows);
  const goal = fields.get("goal");
  return {
    columns,
    rows,
    ...(tiles && { tiles }),
    ...(goal !== undefined && { goal: numbers(goal, "goal", columns, rows) }),
  };
}

function sizeOf(board: string): string {
  const rows = board.split("/");
  return `${rows[0].split(/[ ,.+]+/).filter(Boolean).length}x${rows.length}`;
}

function numbers(text: string, name: string, columns: number, rows: number): number[] {
  const cells = columns * rows;
  const found = text.split(/[ ,.+/]+/).filter(Boolean);
  const tiles = found.map((word) => (/^\d+$/.test(word) ? Number(word) : NaN));
  if (isBoard(tiles, cells)) return tiles;
  const wrong = found.find((_, index) => !(tiles[index] < cells));
  const twice = found.find((word, index) => found.indexOf(word) !== index);
  throw new Error(
    `The ${name} in the address is damaged: a ${columns}x${rows} board has the numbers from 0 to ` +
      `${cells - 1}, each once; ` +
      (wrong !== undefined
        ? `"${wrong.slice(0, 20)}" is none of them.`
        : twice !== undefined
          ? `${twice} is there twice.`
          : `there are ${found.length}.`),
  );
}
