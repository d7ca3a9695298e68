/** Storage for small settings, downloads, idle time and the text size of the browser. */

// If storage is full, denied or damaged, reading returns `null` and writing does nothing.
const prefix = "sliding-tile.";

/** Place of a value: permanent and shared by all tabs, or deleted when this tab is closed. */
export type Place = "browser" | "tab";

// If storage is denied, even accessing the property throws.
const storage = (place: Place): Storage => (place === "tab" ? sessionStorage : localStorage);

export function load(key: string, place: Place = "browser"): unknown {
  try {
    const text = storage(place).getItem(prefix + key);
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

export function save(key: string, value: unknown, place: Place = "browser"): void {
  try {
    storage(place).setItem(prefix + key, JSON.stringify(value));
  } catch {
    // The page works without storage.
  }
}

/** Downloads a text or bytes as a file. */
export function download(name: string, type: string, content: string | Blob): void {
  const isText = typeof content === "string";
  const blob = new Blob([content], { type: isText ? `${type};charset=utf-8` : type });
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers read the address only after the click event.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/**
 * Runs work when the page is idle, or soon in browsers that do not report idle time. Returns a
 * function that cancels it.
 */
export function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback === "function") {
    const handle = requestIdleCallback(work, { timeout: 1500 });
    return () => cancelIdleCallback(handle);
  }
  const handle = setTimeout(work, 200);
  return () => clearTimeout(handle);
}

/** Pixels per `rem`, so that sizes computed in scripts depend on the visitor's text size. */
export const rem = (): number => parseFloat(getComputedStyle(document.documentElement).fontSize);
