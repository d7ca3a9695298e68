// All flows in one process, with one server and one browser: node --test tests/browser.mjs
import { readdirSync } from "node:fs";

const folder = new URL("flows/", import.meta.url);
for (const file of readdirSync(folder)) await import(new URL(file, folder));
