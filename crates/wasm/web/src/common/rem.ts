/** Pixels of a `rem`: sizes that scripts compute follow the visitor's size of text. */
export const rem = (): number => parseFloat(getComputedStyle(document.documentElement).fontSize);
