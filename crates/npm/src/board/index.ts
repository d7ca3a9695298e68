/**
 * Defines `<sliding-board>`, a board for viewing, for playing, or for playing back moves. It needs
 * neither WebAssembly nor dependencies.
 *
 * @packageDocumentation
 */
import { SlidingBoard } from "./element.js";

// The element is not defined in hosts without a document, or if another copy of the package has
// already defined it.
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
