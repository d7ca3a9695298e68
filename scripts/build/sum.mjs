// Prints a checksum of file names, file contents and words: node sum.mjs PATH... [-- WORD...]
// The checksum of a folder covers all files in it except those in node_modules. A missing path has
// the content "missing".
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

export function sumOf(paths, words = []) {
  const hash = createHash("sha256");
  /** Adds a part after its length, so different lists of parts never produce the same bytes. */
  const add = (part) => hash.update(`${part.length}:`).update(part);
  const addPath = (path) => {
    const found = statSync(path, { throwIfNoEntry: false });
    add(path);
    if (!found) return add("missing");
    if (!found.isDirectory()) return add(readFileSync(path));
    const names = readdirSync(path).filter((name) => name !== "node_modules");
    for (const name of names.sort()) addPath(`${path}/${name}`);
  };
  paths.forEach(addPath);
  words.forEach(add);
  return hash.digest("hex");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const parts = process.argv.slice(2);
  const end = parts.indexOf("--");
  console.log(end < 0 ? sumOf(parts) : sumOf(parts.slice(0, end), parts.slice(end + 1)));
}
