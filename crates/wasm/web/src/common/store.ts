/**
 * The browser's storage for small settings. It may be full, denied, or hold anything: reading then
 * gives `null`, and writing does nothing.
 */

const prefix = "sliding-tile.";

export function load(key: string): unknown {
  try {
    const text = localStorage.getItem(prefix + key);
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

export function save(key: string, value: unknown): void {
  try {
    localStorage.setItem(prefix + key, JSON.stringify(value));
  } catch {
    // The page works without being remembered.
  }
}
