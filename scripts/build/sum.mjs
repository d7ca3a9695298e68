// Prints a sum of files, names and contents, and of words: node sum.mjs PATH... [-- WORD...]
// A folder counts with everything in it except node_modules; a missing path counts as missing.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, statSync } from "node:fs";

const hash = createHash("sha256");
/** Each part with its length: parts never run into each other. */
const add = (part) => hash.update(`${part.length}:`).update(part);

function addPath(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  add(path);
  if (!found) return add("missing");
  if (!found.isDirectory()) return add(readFileSync(path));
  for (const name of readdirSync(path).sort()) {
    if (name !== "node_modules") addPath(`${path}/${name}`);
  }
}

const parts = process.argv.slice(2);
const end = parts.indexOf("--");
const [paths, words] = end < 0 ? [parts, []] : [parts.slice(0, end), parts.slice(end + 1)];
paths.forEach(addPath);
words.forEach(add);
console.log(hash.digest("hex"));
