/**
 * Draws a board, and translates pointers and keys into slides and swaps. Tiles are positioned only
 * by transforms, in units of a tile's size, so a move needs no measurement and no layout. Only
 * differences from the last drawing are written, so that 400 tiles take a fraction of a frame.
 */
import { FreeDrag, LineDrag, type Place } from "./drag.js";
import type { BoardLabels, Mark } from "./labels.js";
import { cellsOf, isSame, line, type Way } from "./rules.js";

/** Use of a board: without interaction, playing by slides, or arranging by swaps. */
export type Use = "view" | "play" | "arrange";

/** All inputs of a drawing. */
export interface Scene {
  tiles: readonly number[];
  goal: readonly number[];
  columns: number;
  use: Use;
  /** The address of a picture, or `null` for numbers. */
  picture: string | null;
  /** Whether pieces of a picture show numbers. */
  numbers: boolean;
  marks: ReadonlyMap<number, Mark>;
  labels: BoardLabels;
  name: string;
  /** The id of the element that explains the keys. */
  describedby: string | null;
  /** Whether the board was just solved. */
  isDone: boolean;
  /** Milliseconds per slide. */
  slide: number;
  /** Whether plain arrow keys slide tiles. Ctrl with arrow keys always moves the focus. */
  hasKeys: boolean;
}

/** Callbacks of the view's owner. */
export interface ViewListener {
  slide(cell: number): void;
  swap(one: number, other: number): void;
  announce(text: string): void;
}

/**
 * Minimum width in pixels of tiles with numbers. Labels on pictures and long numbers need more
 * room.
 */
const LEGIBLE = 16;
const LEGIBLE_LABEL = 20;
/** Number of cells above which numbers have three digits. */
const SHORT_NUMBERS = 100;

const STEPS: Record<string, { x: number; y: number; way: Way }> = {
  ArrowUp: { x: 0, y: -1, way: "U" },
  ArrowDown: { x: 0, y: 1, way: "D" },
  ArrowLeft: { x: -1, y: 0, way: "L" },
  ArrowRight: { x: 1, y: 0, way: "R" },
};

/** A tile's element, with the values last written to it. */
class Piece {
  readonly face = document.createElement("span");
  #number: HTMLElement | undefined;
  readonly #written = new Map<string, string>();

  constructor(readonly element: HTMLElement) {
    this.face.setAttribute("part", "face");
    element.append(this.face);
  }

  /** Writes a value unless it is unchanged; `null` removes it. */
  put(name: string, value: string | null, write: (value: string | null) => void): void {
    const text = value ?? "\0";
    if (this.#written.get(name) === text) return;
    this.#written.set(name, text);
    write(value);
  }

  attribute(name: string, value: string | null): void {
    this.put(name, value, () =>
      value === null ? this.element.removeAttribute(name) : this.element.setAttribute(name, value),
    );
  }

  variable(name: string, value: number): void {
    this.put(name, String(value), (text) => this.element.style.setProperty(name, text));
  }

  text(value: string, isOnPicture: boolean): void {
    this.put("text", `${isOnPicture} ${value}`, () => {
      this.#number?.remove();
      this.#number = undefined;
      this.face.textContent = isOnPicture ? "" : value;
      if (!isOnPicture || !value) return;
      this.#number = document.createElement("span");
      this.#number.className = "number";
      this.#number.setAttribute("part", "number");
      this.#number.textContent = value;
      this.face.append(this.#number);
    });
  }
}

let count = 0;

export class BoardView {
  readonly tray = document.createElement("div");
  readonly #board = document.createElement("div");
  readonly #id = `sliding-board-${++count}`;
  readonly #listener: ViewListener;
  readonly #sizes: ResizeObserver | undefined;
  /** Elements by tile number; their order in the document never changes. */
  #pieces: (Piece | undefined)[] = [];
  #missing: Piece | undefined;
  /** The scene's values that `#makePieces` used for the current elements. */
  #made = "";
  #scene: Scene | undefined;
  #width = 0;
  #line: LineDrag | undefined;
  #free: FreeDrag | undefined;
  /** The first chosen tile of a swap. */
  #chosen = -1;
  /** The last focused tile. */
  #focused = -1;

  constructor(listener: ViewListener) {
    this.#listener = listener;
    this.tray.append(this.#board);
    const on = <Name extends keyof HTMLElementEventMap>(
      name: Name,
      listener: (event: HTMLElementEventMap[Name]) => void,
    ) => this.#board.addEventListener(name, listener);
    on("pointerdown", (event) => this.#press(event));
    on("pointermove", (event) => this.#follow(event));
    on("pointerup", (event) => this.#release(event));
    on("pointercancel", () => this.#drop());
    on("keydown", (event) => this.#keydown(event));
    on("click", (event) => this.#click(event));
    on("focusin", (event) => {
      this.#focused = tileOf(event.target);
      this.#redraw();
    });
    if (typeof ResizeObserver === "function") {
      this.#sizes = new ResizeObserver(() => this.#measure());
    }
  }

  /** Starts observing the size, once the tray is in the document. */
  connect(): void {
    // The observer measures after the layout and before the board is visible, so it causes no
    // additional layout.
    if (this.#sizes) this.#sizes.observe(this.tray);
    else this.#measure();
  }

  disconnect(): void {
    this.#sizes?.disconnect();
    this.#line = this.#free = undefined;
  }

  /** Focuses the tile that the Tab key reaches. */
  focus(): void {
    this.#board.querySelector<HTMLElement>('[data-tile][tabindex="0"]')?.focus();
  }

  draw(scene: Scene): void {
    if (this.#scene?.use !== scene.use || this.#scene.tiles.length !== scene.tiles.length) {
      this.#chosen = -1;
      this.#line = this.#free = undefined;
    }
    this.#scene = scene;
    this.#redraw();
  }

  #measure(): void {
    const { clientWidth } = this.tray;
    if (clientWidth === this.#width) return;
    this.#width = clientWidth;
    this.#redraw();
  }

  #redraw(): void {
    const scene = this.#scene;
    if (!scene) return;
    const { tiles, goal, columns, use } = scene;
    const rows = tiles.length / columns;
    const cells = cellsOf(tiles);
    this.#makePieces(scene);
    this.#drawTray(scene, cells[0]!, rows);

    const cell = this.#width / columns;
    const pieces = cellsOf(goal);
    const isGoal = use === "view" && isSame(tiles, goal);
    const reached = this.#reached(scene);
    const isLong = scene.picture !== null || tiles.length > SHORT_NUMBERS;
    const isLegible = cell >= (isLong ? LEGIBLE_LABEL : LEGIBLE);
    const hasNumbers = isLegible && (scene.picture === null || scene.numbers);
    for (const [tile, piece] of this.#pieces.entries()) {
      if (!piece) continue;
      const at = cells[tile]!;
      this.#drawFace(piece, scene, pieces[tile]!, rows, {
        text: tile && hasNumbers ? String(tile) : "",
        isLong: tile > 99,
        isHome: use === "view" ? isGoal : goal[at] === tile,
      });
      this.#place(piece, at, columns);
      if (use === "view") continue;
      this.#drawButton(piece, scene, tile, at, tile === reached);
    }
    if (this.#missing) {
      this.#place(this.#missing, cells[0]!, columns);
      const look = { text: "", isLong: false, isHome: false };
      this.#drawFace(this.#missing, scene, pieces[0]!, rows, look);
    }
  }

  /** Creates the tiles' elements, unless the current elements fit the scene. */
  #makePieces({ tiles, use, picture }: Scene): void {
    const made = `${tiles.length} ${use} ${picture !== null}`;
    if (made === this.#made) return;
    this.#made = made;
    const hadFocus = this.#board.contains(focusIn(this.#board));
    this.#pieces = Array.from(tiles, (_, tile) => {
      if (!tile && use !== "arrange") return undefined;
      const piece = new Piece(document.createElement(use === "view" ? "span" : "button"));
      if (piece.element instanceof HTMLButtonElement) piece.element.type = "button";
      piece.element.setAttribute("part", tile ? "tile" : "tile blank");
      piece.element.className = use === "view" ? "cell" : "tile";
      if (use === "view") return piece;
      piece.element.dataset["tile"] = String(tile);
      piece.element.id = `${this.#id}-${tile}`;
      return piece;
    });
    this.#missing = undefined;
    if (picture !== null && use !== "view") {
      this.#missing = new Piece(document.createElement("span"));
      this.#missing.element.className = "tile missing";
    }
    const all = [this.#missing, ...this.#pieces].filter((piece) => piece !== undefined);
    this.#board.replaceChildren(...all.map(({ element }) => element));
    if (hadFocus) queueMicrotask(() => this.focus());
  }

  #drawTray(scene: Scene, blank: number, rows: number): void {
    const { columns, use, labels, name } = scene;
    const { tray } = this;
    const isView = use === "view";
    tray.className = `sliding-board ${isView ? "look" : "tray"}`;
    tray.classList.toggle("solved", scene.isDone);
    tray.classList.toggle("arranged", use === "arrange");
    tray.setAttribute("part", "tray");
    this.#board.className = isView ? "cells" : "board";
    const set = (element: HTMLElement, values: Record<string, string | null>) => {
      for (const [name, value] of Object.entries(values)) {
        if (value === null) element.removeAttribute(name);
        else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
      }
    };
    set(tray, {
      role: isView ? "img" : "application",
      "aria-roledescription": isView ? null : labels.role,
      "aria-describedby": isView ? null : scene.describedby,
      "aria-label": isView ? name : labels.withBlank(name, placeOf(blank, columns, labels)),
    });
    set(this.#board, {
      role: isView ? null : "group",
      // The order for screen readers: by cells, not by numbers.
      "aria-owns": isView
        ? null
        : scene.tiles
            .filter((tile) => this.#pieces[tile])
            .map((tile) => `${this.#id}-${tile}`)
            .join(" "),
    });
    for (const [name, value] of [
      ["--cell", `${this.#width / columns}px`],
      ["--columns", String(columns)],
      ["--rows", String(rows)],
      ["--slide", `${scene.slide}ms`],
    ] as const) {
      if (tray.style.getPropertyValue(name) !== value) tray.style.setProperty(name, value);
    }
  }

  #place(piece: Piece, cell: number, columns: number): void {
    piece.variable("--x", cell % columns);
    piece.variable("--y", Math.floor(cell / columns));
  }

  #drawFace(
    piece: Piece,
    { picture, columns }: Scene,
    goalCell: number,
    rows: number,
    look: { text: string; isLong: boolean; isHome: boolean },
  ): void {
    const { face } = piece;
    const names = ["face", picture ? "picture" : look.isLong && "long", look.isHome && "home"];
    piece.put("face", names.filter(Boolean).join(" "), (value) => (face.className = value!));
    piece.put("part", look.isHome ? "face home" : "face", (value) =>
      face.setAttribute("part", value!),
    );
    piece.text(look.text, picture !== null);
    const background = picture === null ? null : `url(${JSON.stringify(picture)})`;
    piece.put("image", background, (value) => (face.style.backgroundImage = value ?? ""));
    if (!picture) return;
    const share = (index: number, of: number) => (of > 1 ? (index / (of - 1)) * 100 : 0);
    const x = share(goalCell % columns, columns);
    const y = share(Math.floor(goalCell / columns), rows);
    piece.put("piece", `${x}% ${y}%`, (value) => (face.style.backgroundPosition = value!));
    const size = `${columns * 100}% ${rows * 100}%`;
    piece.put("size", size, (value) => (face.style.backgroundSize = value!));
  }

  #drawButton(piece: Piece, scene: Scene, tile: number, at: number, isReached: boolean): void {
    const { tiles, columns, labels, use, marks } = scene;
    const isArranged = use === "arrange";
    const way = isArranged ? undefined : line(tiles, at, columns)[0];
    const mark = marks.get(tile);
    const free = this.#free;
    const isCarried = free?.cell === at;
    const slid = this.#line?.tiles.has(tile) ? this.#line : undefined;
    const names = [
      "tile",
      mark,
      (way || isArranged) && "free",
      (isCarried || slid) && "dragged",
      isCarried && "carried",
      free && free.over === at && !isCarried && "over",
      this.#chosen === tile && "chosen",
      !tile && "blank",
    ];
    piece.put("class", names.filter(Boolean).join(" "), (value) => {
      piece.element.className = value!;
    });
    piece.attribute("tabindex", isReached ? "0" : "-1");
    const words = [labels.tile(tile), placeOf(at, columns, labels)];
    if (way) words.push(labels.canMove(way));
    if (mark) words.push(labels.mark(mark));
    piece.attribute("aria-label", words.join(", "));
    piece.attribute("aria-pressed", isArranged ? String(this.#chosen === tile) : null);
    const offset = isCarried ? free.offset : undefined;
    piece.variable("--dx", offset?.x ?? (slid ? slid.dx * slid.progress : 0));
    piece.variable("--dy", offset?.y ?? (slid ? slid.dy * slid.progress : 0));
  }

  #reached({ tiles, use }: Scene): number {
    const isTile = this.#focused > 0 && this.#focused < tiles.length;
    if (isTile) return this.#focused;
    return use === "arrange" || tiles[0] ? tiles[0]! : tiles[1]!;
  }

  // --- Pointers ---

  #where(event: PointerEvent, columns: number, rows: number) {
    const box = this.#board.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * columns;
    const y = ((event.clientY - box.top) / box.height) * rows;
    const isInside = x >= 0 && y >= 0 && x < columns && y < rows;
    const cell = isInside ? Math.floor(y) * columns + Math.floor(x) : -1;
    return { x, y, cell, pixels: box.width / columns } satisfies Place & Record<string, number>;
  }

  #press(event: PointerEvent): void {
    const scene = this.#scene;
    if (!scene || scene.use === "view" || event.button !== 0 || this.#line || this.#free) return;
    const { tiles, columns } = scene;
    const at = this.#where(event, columns, tiles.length / columns);
    if (at.cell < 0) return;
    if (scene.use === "arrange") this.#free = new FreeDrag(at.cell, at);
    else if (line(tiles, at.cell, columns).length) {
      this.#line = new LineDrag(tiles, columns, at.cell, at);
    } else return;
    this.#board.setPointerCapture(event.pointerId);
    this.#redraw();
  }

  #follow(event: PointerEvent): void {
    if (!this.#scene || (!this.#line && !this.#free)) return;
    const { tiles, columns } = this.#scene;
    const at = this.#where(event, columns, tiles.length / columns);
    this.#line?.move(at);
    this.#free?.move(at, at.cell, at.pixels);
    this.#redraw();
  }

  #release(event: PointerEvent): void {
    if (!this.#scene) return;
    const { tiles, columns } = this.#scene;
    const at = this.#where(event, columns, tiles.length / columns);
    const [slid, carried] = [this.#line, this.#free];
    this.#drop();
    if (slid?.ends(at.pixels)) this.#listener.slide(slid.cell);
    if (carried?.isMoved) {
      if (at.cell >= 0 && at.cell !== carried.cell) this.#swap(carried.cell, at.cell);
    } else if (carried) this.#choose(tiles[carried.cell]!);
  }

  #drop(): void {
    this.#line = this.#free = undefined;
    this.#redraw();
  }

  /** Handles clicks by keys and screen readers. `#release` handles clicks by pointers. */
  #click(event: MouseEvent): void {
    const tile = tileOf(event.target);
    if (event.detail !== 0 || tile < 0 || !this.#scene) return;
    if (this.#scene.use === "arrange") this.#choose(tile);
    else if (this.#scene.use === "play") this.#listener.slide(this.#scene.tiles.indexOf(tile));
  }

  // --- Arranging ---

  #swap(one: number, other: number): void {
    this.#chosen = -1;
    const { tiles, labels } = this.#scene!;
    const text = labels.swapped(labels.tile(tiles[one]!), labels.tile(tiles[other]!));
    this.#listener.swap(one, other);
    this.#redraw();
    this.#listener.announce(text);
  }

  #choose(tile: number): void {
    const { tiles, labels } = this.#scene!;
    if (this.#chosen >= 0 && this.#chosen !== tile) {
      this.#swap(tiles.indexOf(this.#chosen), tiles.indexOf(tile));
      return;
    }
    this.#chosen = this.#chosen === tile ? -1 : tile;
    if (this.#chosen >= 0) this.#listener.announce(labels.chosen(labels.tile(tile)));
    this.#redraw();
  }

  // --- Keys ---

  #keydown(event: KeyboardEvent): void {
    const scene = this.#scene;
    if (!scene || scene.use === "view") return;
    if (event.key === "Escape" && this.#chosen >= 0) {
      this.#chosen = -1;
      event.stopPropagation();
      this.#redraw();
    }
    const step = STEPS[event.key];
    if (!step || event.altKey || event.metaKey) return;
    if (scene.use === "arrange" || event.ctrlKey) this.#moveFocus(step, scene);
    else if (scene.hasKeys) this.#slideByKey(step.way, event.shiftKey, scene);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #moveFocus(step: Place, scene: Scene): void {
    const { tiles, columns, use } = scene;
    const now = tiles.indexOf(this.#reached(scene));
    let [x, y] = [now % columns, Math.floor(now / columns)];
    do {
      [x, y] = [x + step.x, y + step.y];
      if (x < 0 || y < 0 || x >= columns || y >= tiles.length / columns) return;
    } while (use !== "arrange" && tiles[y * columns + x] === 0);
    this.#focused = tiles[y * columns + x]!;
    this.#redraw();
    this.#pieces[this.#focused]?.element.focus();
  }

  #slideByKey(way: Way, isLine: boolean, { tiles, columns }: Scene): void {
    const blank = tiles.indexOf(0);
    const [x, y] = [blank % columns, Math.floor(blank / columns)];
    const last = { U: tiles.length / columns - 1 - y, D: y, L: columns - 1 - x, R: x }[way];
    const step = { U: columns, D: -columns, L: 1, R: -1 }[way];
    if (last) this.#listener.slide(blank + step * (isLine ? last : 1));
  }
}

/** The number of the tile at the target of an event; -1 if the target is not in a tile. */
function tileOf(target: EventTarget | null): number {
  const element = target instanceof Element ? target.closest<HTMLElement>("[data-tile]") : null;
  return element ? Number(element.dataset["tile"]) : -1;
}

const focusIn = (element: Element): Element | null => {
  const tree = element.getRootNode();
  return tree instanceof Document || tree instanceof ShadowRoot ? tree.activeElement : null;
};

export const placeOf = (cell: number, columns: number, labels: BoardLabels): string =>
  labels.place(Math.floor(cell / columns) + 1, (cell % columns) + 1);
