/** Pixels per `rem`, so that sizes computed in scripts depend on the visitor's text size. */
export const rem = (): number => parseFloat(getComputedStyle(document.documentElement).fontSize);
