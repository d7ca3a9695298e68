/**
 * The style of the element, in a document or in a shadow tree. Every rule is limited to elements
 * and classes of this package, so that no rule applies to anything else in the document.
 */
const css = `
sliding-board, :host {
  display: block;
  position: relative;
}

:where(.sliding-board, .sliding-board *, .sliding-controls, .sliding-controls *) {
  box-sizing: border-box;
}

.sliding-board {
  --gap: clamp(0.5px, calc(var(--cell) * 0.028), 4px);
  --c-tray: var(--sliding-board-tray, #e3dccf);
  --c-tile: var(--sliding-board-tile, #fffefb);
  --c-text: var(--sliding-board-text, #2b2721);
  --c-home: var(--sliding-board-home, #cfe6e1);
  --c-home-text: var(--sliding-board-home-text, #0b4b46);
  --c-accent: var(--sliding-board-accent, #0e6a64);
  --c-focus: var(--sliding-board-focus, #1f5fd0);
  width: 100%;
  aspect-ratio: var(--columns) / var(--rows);
  border-radius: clamp(8px, 4%, 18px);
  background: var(--c-tray);
  outline: clamp(3px, 1.2vmin, 8px) solid var(--c-tray);
  user-select: none;
  -webkit-user-select: none;
  -webkit-tap-highlight-color: transparent;
}

.sliding-board :is(.board, .cells) {
  position: relative;
  width: 100%;
  height: 100%;
}

.sliding-board :is(.tile, .cell) {
  position: absolute;
  top: 0;
  left: 0;
  width: calc(100% / var(--columns));
  height: calc(100% / var(--rows));
  margin: 0;
  padding: var(--gap);
  border: 0;
  background: none;
  color: inherit;
  font: inherit;
  transform: translate(
    calc((var(--x) + var(--dx, 0)) * 100%),
    calc((var(--y) + var(--dy, 0)) * 100%)
  );
  transition: transform var(--slide) cubic-bezier(0.25, 0.8, 0.4, 1);
  cursor: default;
}

.sliding-board .free {
  cursor: pointer;
  touch-action: none;
}

.sliding-board .dragged {
  transition: none;
  cursor: grabbing;
}

.sliding-board .carried {
  z-index: 3;
  pointer-events: none;
}

.sliding-board .carried .face {
  scale: 0.88;
  box-shadow: 0 8px 24px rgb(0 0 0 / 0.3);
}

.sliding-board .tile:focus-visible {
  z-index: 2;
  outline: 3px solid var(--c-focus);
  outline-offset: -3px;
  border-radius: calc(var(--cell) * 0.16);
}

/* Rings of marks differ in line style, not only in colour. */
.sliding-board .tile::after {
  content: "";
  position: absolute;
  inset: var(--gap);
  border: 0 solid transparent;
  border-radius: calc(var(--cell) * 0.14);
  pointer-events: none;
}

.sliding-board .hint::after {
  border: clamp(2px, calc(var(--cell) * 0.06), 6px) solid var(--c-accent);
}

.sliding-board .hint:is(.U, .D, .L, .R) {
  z-index: 1;
}

/* An arrow from the tile into the blank. */
.sliding-board .hint:is(.U, .D, .L, .R)::before {
  --long: calc(var(--cell) * 0.36);
  content: "";
  position: absolute;
  z-index: 1;
  top: calc(50% - var(--long) / 2);
  left: calc(50% - var(--long) / 2);
  width: var(--long);
  height: var(--long);
  background: var(--c-accent);
  clip-path: polygon(0 34%, 50% 34%, 50% 8%, 100% 50%, 50% 92%, 50% 66%, 0 66%);
  rotate: var(--turn);
  transform: translateX(calc(var(--cell) * 0.58));
  pointer-events: none;
}

.sliding-board .R { --turn: 0deg; }
.sliding-board .D { --turn: 90deg; }
.sliding-board .L { --turn: 180deg; }
.sliding-board .U { --turn: 270deg; }

.sliding-board .swap::after {
  border: clamp(2px, calc(var(--cell) * 0.05), 5px) dashed var(--sliding-board-warn, #8a5300);
}

.sliding-board .conflict::after {
  border: clamp(2px, calc(var(--cell) * 0.07), 7px) double var(--sliding-board-bad, #b3261e);
}

.sliding-board .seen::after {
  border: clamp(2px, calc(var(--cell) * 0.04), 4px) dotted var(--c-accent);
}

.sliding-board :is(.chosen, .over)::after {
  border: clamp(2px, calc(var(--cell) * 0.06), 6px) solid var(--c-focus);
}

.sliding-board .face {
  display: grid;
  place-items: center;
  width: 100%;
  height: 100%;
  border-radius: calc(var(--cell) * 0.14);
  background: var(--c-tile);
  color: var(--c-text);
  box-shadow: var(--sliding-board-shadow, 0 1px 3px rgb(60 45 20 / 0.2));
  font-size: calc(var(--cell) * 0.38 * var(--sliding-board-text-size, 1));
  font-weight: 600;
  font-variant-numeric: tabular-nums;
  letter-spacing: -0.02em;
  line-height: 1;
  transition: background-color 0.25s, color 0.25s;
}

.sliding-board .long {
  font-size: calc(var(--cell) * 0.33 * var(--sliding-board-text-size, 1));
}

.sliding-board .home {
  background-color: var(--c-home);
  color: var(--c-home-text);
}

.sliding-board .picture {
  place-items: end start;
  border-radius: calc(var(--cell) * 0.06);
  background-color: var(--c-tile);
}

.sliding-board .number {
  min-width: 1.5em;
  margin: calc(var(--cell) * 0.05);
  padding: 0.15em 0.35em;
  border-radius: 0.4em;
  background: rgb(0 0 0 / 0.62);
  color: #fff;
  font-size: clamp(6px, calc(var(--cell) * 0.2), 20px);
  text-align: center;
}

.sliding-board .picture.home .number {
  background: rgb(8 76 70 / 0.85);
}

.sliding-board .blank .face {
  background: none;
  box-shadow: none;
  border: 2px dashed var(--sliding-board-muted, #665f54);
}

.sliding-board .blank .picture {
  opacity: 0.3;
}

/* The piece of the blank, visible when the picture is complete. */
.sliding-board .missing {
  opacity: 0;
  pointer-events: none;
}

.sliding-board.solved .missing {
  opacity: 1;
  transition: opacity 0.8s 0.2s;
}

/* A wave runs over the board once, from the first cell to the last. */
.sliding-board.solved .tile .face {
  animation: sliding-board-wave 0.5s ease-out
    calc((var(--x) + var(--y)) * 400ms / (var(--columns) + var(--rows)));
}

@keyframes sliding-board-wave {
  40% {
    scale: 0.93;
    filter: brightness(1.08);
  }
}

.sliding-controls {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 6px;
  margin-top: 14px;
}

.sliding-controls :is(button, select) {
  min-width: 44px;
  height: 44px;
  border: 1px solid;
  border-radius: 8px;
  background: none;
  color: inherit;
  font: inherit;
}

.sliding-controls button svg {
  display: block;
  margin: auto;
  fill: currentcolor;
}

.sliding-controls button:disabled {
  opacity: 0.45;
}

.sliding-controls input {
  flex: 1 1 6rem;
  min-width: 0;
  height: 44px;
  margin: 0;
  accent-color: var(--sliding-board-accent, #0e6a64);
}

.sliding-controls :focus-visible {
  outline: 3px solid var(--sliding-board-focus, #1f5fd0);
  outline-offset: 2px;
}

.sliding-controls output {
  min-width: 4.5em;
  font-variant-numeric: tabular-nums;
}

.sliding-hidden {
  position: absolute;
  width: 1px;
  height: 1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
}

@media (forced-colors: active) {
  .sliding-board .face {
    border: 1px solid;
  }

  .sliding-board .home {
    border: max(3px, calc(var(--cell) * 0.06)) double;
  }
}

@media (prefers-reduced-motion: reduce) {
  .sliding-board :is(.tile, .cell, .face) {
    transition: none !important;
    animation: none !important;
  }
}
`;

let sheet: CSSStyleSheet | undefined;

/** Adds the style to a document or a shadow tree, once. */
export function addStyle(tree: Document | ShadowRoot): void {
  // A style sheet constructed by a script needs no permission from a Content-Security-Policy.
  if (!sheet) (sheet = new CSSStyleSheet()).replaceSync(css);
  if (!tree.adoptedStyleSheets.includes(sheet)) {
    tree.adoptedStyleSheets = [...tree.adoptedStyleSheets, sheet];
  }
}
