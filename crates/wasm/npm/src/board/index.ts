/**
 * Defines `<sliding-board>`, a board to look at, to play, or to play back moves on. Without
 * WebAssembly, and without dependencies.
 *
 * @packageDocumentation
 */
import { SlidingBoard } from "./element.js";

// Not in hosts without a document, and once where two copies of the package are loaded.
if (globalThis.customElements && !customElements.get("sliding-board")) {
  customElements.define("sliding-board", SlidingBoard);
}

declare global {
  interface HTMLElementTagNameMap {
    "sliding-board": SlidingBoard;
  }
}

export { SlidingBoard, type BoardEvents, type BoardProperties } from "./element.js";
export { english, type BoardLabels, type Mark } from "./labels.js";
export type { Way } from "./rules.js";
export type { Use } from "./view.js";
