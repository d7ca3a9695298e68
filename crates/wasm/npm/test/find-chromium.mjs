// Which browser tests use, and how it is started: for the package's tests and for the page's.
import { execFileSync } from "node:child_process";

export const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Debian's Chromium, another on PATH, or the one that CHROMIUM names. */
export function executable() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  for (const name of ["chromium", "chromium-browser", "google-chrome"]) {
    try {
      return execFileSync("which", [name], { encoding: "utf8" }).trim();
    } catch {
      // The next one.
    }
  }
  throw new Error("no Chromium: install it, or set CHROMIUM to its path");
}
