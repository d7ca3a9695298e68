/**
 * The browser's storage for small settings. If it is full, denied or damaged, reading returns
 * `null` and writing does nothing.
 */

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
