/** The controls of a playback: previous move, play or pause, next move, a slider, the speed. */
import type { BoardLabels } from "./labels.js";

/** Choices of moves per second. */
export const SPEEDS = [1, 2, 4, 8, 16, 60];

export interface ControlsState {
  position: number;
  length: number;
  isPlaying: boolean;
  speed: number;
  labels: BoardLabels;
}

export interface ControlsListener {
  toggle(): void;
  seek(position: number): void;
  speed(movesPerSecond: number): void;
}

const ICONS = {
  back: "M15 5v14l-9-7z",
  forward: "M9 5v14l9-7z",
  play: "M6 4v16l14-8z",
  pause: "M6 4h4v16H6zM14 4h4v16h-4z",
};

export class Controls {
  readonly element = document.createElement("div");
  readonly #back: HTMLButtonElement;
  readonly #toggle: HTMLButtonElement;
  readonly #forward: HTMLButtonElement;
  readonly #slider = document.createElement("input");
  readonly #output = document.createElement("output");
  readonly #speed = document.createElement("select");
  #state: ControlsState | undefined;

  constructor(listener: ControlsListener) {
    const { element } = this;
    const seekBy = (step: number) => () => listener.seek((this.#state?.position ?? 0) + step);
    element.className = "sliding-controls";
    element.setAttribute("part", "controls");
    element.setAttribute("role", "group");
    this.#back = button(ICONS.back, seekBy(-1));
    this.#toggle = button(ICONS.play, () => listener.toggle());
    this.#forward = button(ICONS.forward, seekBy(1));
    this.#slider.type = "range";
    this.#slider.min = "0";
    this.#slider.setAttribute("part", "slider");
    this.#slider.addEventListener("input", () => listener.seek(Number(this.#slider.value)));
    this.#output.setAttribute("part", "position");
    // Screen readers read the position from the slider already.
    this.#output.setAttribute("aria-hidden", "true");
    this.#speed.setAttribute("part", "speed");
    this.#speed.addEventListener("change", () => listener.speed(Number(this.#speed.value)));
    element.append(this.#back, this.#toggle, this.#forward);
    element.append(this.#slider, this.#output, this.#speed);
  }

  draw(state: ControlsState): void {
    this.#state = state;
    const { position, length, isPlaying, speed, labels } = state;
    this.element.setAttribute("aria-label", labels.controls);
    name(this.#back, labels.stepBack);
    name(this.#forward, labels.stepForward);
    name(this.#toggle, isPlaying ? labels.pause : labels.play);
    const icon = isPlaying ? ICONS.pause : ICONS.play;
    this.#toggle.querySelector("path")?.setAttribute("d", icon);
    // A focused button stays enabled, since a disabled one would lose the focus.
    disable(this.#back, position === 0);
    disable(this.#forward, position === length);
    this.#toggle.disabled = length === 0;
    this.#slider.max = String(length);
    this.#slider.value = String(position);
    this.#slider.setAttribute("aria-label", labels.position);
    this.#slider.setAttribute("aria-valuetext", labels.positionOf(position, length));
    this.#output.textContent = `${position} / ${length}`;
    this.#speed.setAttribute("aria-label", labels.speed);
    const speeds = SPEEDS.includes(speed) ? SPEEDS : [...SPEEDS, speed].sort((a, b) => a - b);
    const options = speeds.map((count) => new Option(labels.movesPerSecond(count), String(count)));
    const text = options.map((option) => option.text).join();
    if (text !== this.#speed.dataset["text"]) this.#speed.replaceChildren(...options);
    this.#speed.dataset["text"] = text;
    this.#speed.value = String(speed);
  }
}

function button(path: string, press: () => void): HTMLButtonElement {
  const made = document.createElement("button");
  made.type = "button";
  made.setAttribute("part", "button");
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  for (const [name, value] of Object.entries({ viewBox: "0 0 24 24", width: 24, height: 24 })) {
    svg.setAttribute(name, String(value));
  }
  svg.setAttribute("aria-hidden", "true");
  const shape = document.createElementNS("http://www.w3.org/2000/svg", "path");
  shape.setAttribute("d", path);
  svg.append(shape);
  made.append(svg);
  made.addEventListener("click", () => {
    if (made.getAttribute("aria-disabled") !== "true") press();
  });
  return made;
}

function name(button: HTMLButtonElement, text: string): void {
  button.setAttribute("aria-label", text);
  button.title = text;
}

function disable(button: HTMLButtonElement, isDisabled: boolean): void {
  button.setAttribute("aria-disabled", String(isDisabled));
  button.style.opacity = isDisabled ? "0.45" : "";
}
