/** `<sliding-board>`: a board for viewing, for playing, or for playing back moves. */
import { Controls } from "./controls.js";
import { english, type BoardLabels, type Mark } from "./labels.js";
import { lastMoved, line, type Way } from "./rules.js";
import { addStyle } from "./style.js";
import { Player, readBoard, readGoal, readMoves, Timeline } from "./timeline.js";
import { BoardView, placeOf, type Use } from "./view.js";

/** All properties of a board. */
export interface BoardValues {
  /** Rows of numbers separated by slashes, or numbers in reading order. 0 is the blank. */
  board: string | readonly number[];
  /** Number of columns of a board given as numbers. By default such a board is square. */
  columns: number | undefined;
  /** Default `"blank-last"`. */
  goal: string | readonly number[];
  /** Moves to play back, such as `"U2RD"`. */
  moves: string;
  /** The address of a picture for the tiles. */
  picture: string | null;
  /** Whether pieces of a picture show numbers. Default true. */
  numbers: boolean;
  /** The accessible name. By default the size. */
  label: string | null;
  /**
   * `"view"` (default): no interaction. `"play"`: tiles slide. `"arrange"`: two tiles are swapped.
   */
  use: Use;
  /** Whether the playback has controls. */
  controls: boolean;
  /** Moves per second. Default 4. */
  speed: number;
  /** Milliseconds per slide. Default 130. */
  slide: number;
  /** Marks on tiles, by tile number. */
  marks: ReadonlyMap<number, Mark> | undefined;
  /** Whether the board is drawn as solved. By default only after a move that solves the board. */
  done: boolean | undefined;
  /** Texts in another language. */
  labels: Partial<BoardLabels>;
  /** Receives announcements. Without it, the element announces them in its own live region. */
  announcer: ((text: string) => void) | undefined;
  /**
   * The id of an element that explains the keys. The element must be in the same document or
   * shadow tree as the tiles. By default the text `labels.keys` explains the keys.
   */
  describedby: string | null | undefined;
  /** Whether plain arrow keys slide tiles. Default true. */
  keys: boolean;
}

/** The properties that `set` accepts. */
export type BoardProperties = Partial<BoardValues>;

/** The details of the element's events. */
export interface BoardEvents {
  /** The first board is drawn. */
  ready: CustomEvent<{ columns: number; rows: number }>;
  /**
   * Sent before the player slides the tiles between a cell and the blank. `preventDefault()` leaves
   * the board unchanged.
   */
  slide: CustomEvent<{ cell: number }>;
  /** Sent before the player swaps the tiles of two cells; cancelable like `slide`. */
  swap: CustomEvent<{ one: number; other: number }>;
  /** Tiles have moved. `moves` are the directions of the single moves. */
  move: CustomEvent<{ moves: readonly Way[]; by: "player" | "playback" }>;
  /** The position has changed: the number of moves made, out of `length`. */
  step: CustomEvent<{ position: number; length: number }>;
  /** A move has reached the goal. */
  solved: CustomEvent<{ position: number }>;
}

/** Hosts without a document, such as Node, can import the class, but not create elements. */
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

const DEFAULT_BOARD = "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0";
/** Default duration of a slide, in milliseconds. */
const DEFAULT_SLIDE = 130;
/** Milliseconds between two frames of most screens; faster moves are not animated. */
const FRAME = 17;

/** The properties that can be set separately. */
const PROPERTIES = [
  "board",
  "goal",
  "moves",
  "picture",
  "use",
  "controls",
  "speed",
  "labels",
  "marks",
] as const;

/** For each attribute, the function that converts its text to properties. */
const ATTRIBUTES = {
  board: (text) => ({ board: text ?? DEFAULT_BOARD }),
  goal: (text) => ({ goal: text ?? "blank-last" }),
  moves: (text) => ({ moves: text ?? "" }),
  picture: (text) => ({ picture: text }),
  numbers: (text) => ({ numbers: text !== "off" }),
  label: (text) => ({ label: text }),
  use: (text) => ({ use: text === "play" || text === "arrange" ? text : "view" }),
  controls: (text) => ({ controls: text !== null }),
  speed: (text) => ({ speed: Number(text ?? 4) }),
  slide: (text) => ({ slide: Number(text ?? DEFAULT_SLIDE) }),
} satisfies Record<string, (text: string | null) => BoardProperties>;

/** The properties that can be set separately. */
export interface SlidingBoard extends Pick<BoardValues, (typeof PROPERTIES)[number]> {}

/**
 * A board. Attributes: `board`, `goal`, `moves`, `picture`, `numbers` (`off`), `label`, `use`,
 * `controls`, `speed`, `slide` and `light`. `light` puts the board into the document's own tree
 * instead of a shadow tree; it is read when the element is connected. Without `light` the styles of
 * the document do not apply to the board; custom properties and `::part()` change its look.
 *
 * `set` and the properties throw InputError for an invalid board, goal or moves, and RangeError for
 * an invalid `speed` or `slide`. For an invalid attribute the message is shown in place of the
 * board.
 */
export class SlidingBoard extends Base {
  static readonly observedAttributes = Object.keys(ATTRIBUTES);

  static {
    for (const name of PROPERTIES) {
      Object.defineProperty(this.prototype, name, {
        configurable: true,
        enumerable: true,
        get(this: SlidingBoard) {
          return this.#settled[name];
        },
        set(this: SlidingBoard, value: unknown) {
          this.#change({ [name]: value });
        },
      });
    }
  }

  readonly #properties: BoardValues = {
    board: DEFAULT_BOARD,
    columns: undefined,
    goal: "blank-last",
    moves: "",
    picture: null,
    numbers: true,
    label: null,
    use: "view",
    controls: false,
    speed: 4,
    slide: DEFAULT_SLIDE,
    marks: undefined,
    done: undefined,
    labels: {},
    announcer: undefined,
    describedby: undefined,
    keys: true,
  };
  #labels = english;
  #timeline: Timeline | undefined;
  #view: BoardView | undefined;
  #controls: Controls | undefined;
  #keys: HTMLElement | undefined;
  #status: HTMLElement | undefined;
  #alert: HTMLElement | undefined;
  /** Changed attributes that are not applied yet. They are applied together, not one by one. */
  readonly #pending = new Set<keyof typeof ATTRIBUTES>();
  /** The error of invalid attributes. */
  #problem = "";
  /** Whether the last change was a move that solved the board. */
  #isDone = false;
  #isReady = false;
  #isQueued = false;
  readonly #player = new Player((moves) => this.#advance(moves));

  // --- Life cycle ---

  connectedCallback(): void {
    this.#adoptProperties();
    if (!this.#view) this.#build();
    const tree = this.getRootNode();
    addStyle(this.shadowRoot ?? (tree instanceof ShadowRoot ? tree : document));
    this.#view!.connect();
    this.#draw();
    if (this.#isReady) return;
    this.#isReady = true;
    const { columns, rows } = this;
    queueMicrotask(() => this.#tell("ready", { columns, rows }));
  }

  /** Applies properties that were set on the instance before the element was defined. */
  #adoptProperties(): void {
    const own = this as unknown as Record<string, unknown>;
    for (const name of PROPERTIES) {
      if (!Object.hasOwn(this, name)) continue;
      const value = own[name];
      delete own[name];
      own[name] = value;
    }
  }

  disconnectedCallback(): void {
    this.pause();
    this.#view?.disconnect();
  }

  attributeChangedCallback(name: keyof typeof ATTRIBUTES): void {
    this.#pending.add(name);
    this.#queue();
  }

  /** Applies the changed attributes. If one is invalid, applies none, and tries all again later. */
  #readAttributes(): void {
    if (this.#pending.size === 0) return;
    const read = [...this.#pending].map((name) => ATTRIBUTES[name](this.getAttribute(name)));
    try {
      this.#assign(Object.assign({}, ...read) as BoardProperties);
      this.#pending.clear();
      this.#problem = "";
    } catch (error) {
      this.#problem = (error as Error).message;
    }
  }

  #build(): void {
    const root = this.hasAttribute("light") ? this : this.attachShadow({ mode: "open" });
    this.#view = new BoardView({
      slide: (cell) => this.#slide(cell),
      swap: (one, other) => this.#swap(one, other),
      announce: (text) => this.#announce(text),
    });
    this.#keys = hidden("p");
    this.#keys.id = `sliding-keys-${++count}`;
    this.#status = hidden("p");
    this.#status.setAttribute("role", "status");
    this.#alert = document.createElement("p");
    this.#alert.setAttribute("part", "problem");
    this.#alert.setAttribute("role", "alert");
    this.#alert.hidden = true;
    root.append(this.#view.tray, this.#alert, this.#keys, this.#status);
  }

  // --- Properties ---

  /** Sets several properties, and draws once, immediately. */
  set(properties: BoardProperties): void {
    this.#change(properties);
    this.#draw();
  }

  #assign(properties: BoardProperties): void {
    const before = this.#properties;
    const next = { ...before, ...properties };
    const { speed, slide } = next;
    if (!(speed > 0 && speed <= 1000)) throw new RangeError("speed must be from 0 to 1000");
    if (!(slide >= 0)) throw new RangeError("slide must be a number from 0");
    const isNewBoard = (["board", "columns", "goal", "moves"] as const).some(
      (name) => next[name] !== before[name],
    );
    if (isNewBoard || !this.#timeline) {
      const layout = readBoard(next.board, next.columns);
      const goal = readGoal(next.goal, layout);
      const moves = readMoves(next.moves);
      this.#timeline = new Timeline(layout.tiles, goal, layout.columns, moves);
      this.#isDone = false;
      this.#player.stop();
    }
    Object.assign(before, next);
    this.#labels = { ...english, ...next.labels };
    this.#player.speed = speed;
  }

  /** The numbers on the current board, in reading order. */
  get tiles(): readonly number[] {
    return [...this.#line.tiles];
  }
  get columns(): number {
    return this.#line.columns;
  }
  get rows(): number {
    return this.#line.tiles.length / this.#line.columns;
  }
  /** Number of moves made, out of `length`. */
  get position(): number {
    return this.#line.position;
  }
  get length(): number {
    return this.#line.moves.length;
  }
  get isSolved(): boolean {
    return this.#line.isSolved;
  }
  get isPlaying(): boolean {
    return this.#player.isPlaying;
  }

  #change(properties: BoardProperties): void {
    this.#readAttributes();
    this.#assign(properties);
    // Setting a property replaces an invalid attribute of the same name.
    for (const name of this.#pending) if (name in properties) this.#pending.delete(name);
    if (this.#pending.size === 0) this.#problem = "";
    this.#queue();
  }

  get #settled() {
    this.#readAttributes();
    return this.#properties;
  }

  /** Until an attribute is set, the board is a solved 4x4. */
  get #line(): Timeline {
    this.#readAttributes();
    if (!this.#timeline) this.#assign({});
    return this.#timeline!;
  }

  // --- Methods ---

  /** Plays the remaining moves. If no moves remain, plays all moves from the start. */
  play(): void {
    if (!this.isConnected || this.length === 0) return;
    if (this.position === this.length) this.seek(0);
    this.#player.start();
    this.#draw();
  }

  pause(): void {
    if (!this.isPlaying) return;
    this.#player.stop();
    this.#draw();
  }

  /** Shows the board after the first `position` moves. */
  seek(position: number): void {
    this.#made(this.#line.seek(position), "playback");
  }

  /** Restores the board and the moves that were set, and discards the player's moves. */
  reset(): void {
    this.#player.stop();
    const { position } = this;
    const { start, goal, columns } = this.#line;
    const moves = readMoves(this.#properties.moves);
    this.#timeline = new Timeline(start, goal, columns, moves);
    this.#isDone = false;
    this.#draw();
    if (position > 0) this.#tell("step", { position: 0, length: this.length });
  }

  /** Focuses the tile that the Tab key reaches. */
  override focus(): void {
    this.#view?.focus();
  }

  // --- Moves ---

  #advance(moves: number): void {
    this.#made(this.#line.seek(this.position + moves), "playback");
    if (this.position === this.length) this.pause();
  }

  #slide(cell: number): void {
    const { tiles, columns } = this.#line;
    if (line(tiles, cell, columns).length === 0) return;
    if (!this.#tell("slide", { cell }, true)) return;
    this.#player.stop();
    this.#made(this.#line.slide(cell), "player");
  }

  #swap(one: number, other: number): void {
    if (!this.#tell("swap", { one, other }, true)) return;
    const tiles = [...this.tiles];
    [tiles[one], tiles[other]] = [tiles[other]!, tiles[one]!];
    this.set({ board: tiles, columns: this.columns, moves: "" });
  }

  #made(moves: Way[], by: "player" | "playback"): void {
    if (moves.length === 0) return;
    const { position, length, isSolved } = this;
    this.#isDone = isSolved && position > 0;
    this.#draw();
    // Only a player's moves are announced: a playback has a slider that screen readers read.
    if (by === "player") this.#announceMove(moves);
    this.#tell("move", { moves, by });
    this.#tell("step", { position, length });
    if (this.#isDone) this.#tell("solved", { position });
  }

  #announceMove(moves: Way[]): void {
    const { tiles, columns } = this.#line;
    const way = moves[moves.length - 1]!;
    const tile = moves.length === 1 ? lastMoved(tiles, way, columns) : undefined;
    const blank = placeOf(tiles.indexOf(0), columns, this.#labels);
    const moved = this.#labels.moved(tile, moves.length, way, blank);
    this.#announce(this.#isDone ? `${moved}. ${this.#labels.solved(this.position)}` : moved);
  }

  #announce(text: string): void {
    const { announcer } = this.#properties;
    if (announcer) announcer(text);
    // Screen readers ignore an unchanged text, so a repeated text gets a space at its end.
    else if (this.#status) {
      this.#status.textContent = this.#status.textContent === text ? `${text}\u00a0` : text;
    }
  }

  /** Dispatches an event; returns false if a listener prevents it. */
  #tell<Name extends keyof BoardEvents>(
    name: Name,
    detail: BoardEvents[Name]["detail"],
    cancelable = false,
  ): boolean {
    return this.dispatchEvent(new CustomEvent(name, { detail, cancelable }));
  }

  // --- Drawing ---

  #queue(): void {
    if (this.#isQueued) return;
    this.#isQueued = true;
    queueMicrotask(() => this.#isQueued && this.#draw());
  }

  #draw(): void {
    this.#isQueued = false;
    if (!this.#view || !this.#keys || !this.#alert) return;
    const { use, describedby, done, slide, marks, keys, picture, numbers } = this.#settled;
    const { tiles, goal, columns } = this.#line;
    const labels = this.#labels;
    this.#alert.textContent = this.#problem;
    this.#alert.hidden = this.#problem === "";
    this.#view.tray.style.display = this.#problem ? "none" : "";
    this.#keys.textContent = use === "play" && describedby === undefined ? labels.keys : "";
    this.#view.draw({
      tiles,
      goal,
      columns,
      use,
      picture,
      numbers,
      marks: marks ?? NO_MARKS,
      labels,
      name: this.#properties.label ?? labels.board(columns, tiles.length / columns),
      describedby: use !== "play" ? null : describedby === undefined ? this.#keys.id : describedby,
      isDone: done ?? this.#isDone,
      slide: this.isPlaying ? this.#slideOfPlayback(slide) : slide,
      hasKeys: keys,
    });
    this.#drawControls();
  }

  /** Milliseconds per slide of a playback: at most the time until the next move. */
  #slideOfPlayback(slide: number): number {
    const interval = 1000 / this.#properties.speed;
    return interval < FRAME ? 0 : Math.min(slide, interval);
  }

  #drawControls(): void {
    const { controls, speed } = this.#properties;
    if (!controls) {
      this.#controls?.element.remove();
      return;
    }
    this.#controls ??= new Controls({
      toggle: () => (this.isPlaying ? this.pause() : this.play()),
      seek: (position) => {
        this.pause();
        this.seek(position);
      },
      speed: (speed) => this.set({ speed }),
    });
    if (!this.#controls.element.isConnected) this.#view!.tray.after(this.#controls.element);
    const { position, length, isPlaying } = this;
    this.#controls.draw({ position, length, isPlaying, speed, labels: this.#labels });
  }
}

const NO_MARKS: ReadonlyMap<number, Mark> = new Map();
let count = 0;

function hidden(name: "p"): HTMLElement {
  const element = document.createElement(name);
  element.className = "sliding-hidden";
  return element;
}
