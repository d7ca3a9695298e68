// Path and flags of the browser, for the tests of the package and of the page.
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

/**
 * Path of Chromium: the value of the variable CHROMIUM, or else the first program on PATH that has
 * one of Chromium's names.
 */
export function executable() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  for (const name of ["chromium", "chromium-browser", "google-chrome"]) {
    try {
      return execFileSync("which", [name], { encoding: "utf8" }).trim();
    } catch {
      // Not on PATH: try the next name.
    }
  }
  throw new Error("no Chromium: install it, or set CHROMIUM to its path");
}
