import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

/** A package whose code is part of the built page. */
interface Shipped {
  name: string;
  version: string;
  licence: string;
  /** Whether the package's code is in the page's scripts or in the solver's WebAssembly. */
  part: "page" | "solver";
  texts: string[];
}

const web = fileURLToPath(new URL("..", import.meta.url));
const project = resolve(web, "../..");
/** File with the crates that cargo listed last. It is in node_modules, which git ignores. */
const cache = join(web, "node_modules/.cache/sliding-tile-page/crates.json");
const target = "wasm32-unknown-unknown";

/** The licence files of a folder; if the package offers a choice, only the MIT licence. */
function textsOf(folder: string, licence: string): string[] {
  const files = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && /^(licen[cs]e|copying|unlicense|notice)/i.test(entry.name))
    .map((entry) => entry.name)
    .sort();
  const isChoice = /\bOR\b|\//.test(licence) && /\bMIT\b/.test(licence);
  const mit = files.filter((file) => /mit|^notice/i.test(file));
  const chosen = isChoice && mit.length > 0 ? mit : files;
  // Vite's licence file also contains the licences of Vite's dependencies. They are removed,
  // because the page does not contain the dependencies.
  return chosen.map((file) =>
    readFileSync(join(folder, file), "utf8")
      .replaceAll("\r\n", "\n")
      .replace(/^# Licenses of bundled dependencies[\s\S]*/m, "")
      .trim(),
  );
}

/** The folder of the package that contains a module of the bundle. */
function folderOf(id: string): string | null {
  const virtual = /^\0(vite|rolldown|svelte)\//.exec(id);
  if (virtual) return join(web, "node_modules", virtual[1]);
  const path = id.replace(/^\0/, "").replace(/[?#].*$/, "");
  if (!existsSync(path)) return null;
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, "package.json");
    if (!existsSync(file)) continue;
    // Some packages contain further package.json files that only set a type.
    if ("version" in (JSON.parse(readFileSync(file, "utf8")) as object)) return folder;
    if (resolve(folder) === resolve(web)) return null;
  }
  return null;
}

function packageOf(folder: string): Shipped | null {
  const file = join(folder, "package.json");
  if (!existsSync(file)) return null;
  const about = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
  const name = String(about.name);
  if (name === "sliding-tile-pdb") return null; // the project itself
  const licence = String(about.license ?? "not said");
  const version = String(about.version);
  return { name, version, licence, part: "page", texts: textsOf(folder, licence) };
}

function run(command: string, ...words: string[]): string {
  return execFileSync(command, words, {
    cwd: join(web, ".."),
    encoding: "utf8",
    maxBuffer: 1e9,
    stdio: ["ignore", "pipe", "ignore"],
  });
}

/** The crates in the WebAssembly, as cargo lists them. @throws if cargo fails */
function crates(): Shipped[] {
  const tree = ["tree", "--locked", "--target", target, "--prefix", "none", "--format", "{p}"];
  const lines = run("cargo", ...tree, "-e", "normal,no-proc-macro").split("\n");
  const names = new Set(
    lines.flatMap((line) => /^(\S+) v(\S+)/.exec(line)?.slice(1, 3).join(" ") ?? []),
  );
  // `--offline` would fail: cargo describes the whole workspace, and must be able to download the
  // crates that only other programs of the workspace need.
  const metadata = ["metadata", "--locked", "--format-version", "1", "--filter-platform", target];
  const { packages } = JSON.parse(run("cargo", ...metadata)) as {
    packages: {
      name: string;
      version: string;
      license: string | null;
      manifest_path: string;
      source: string | null;
    }[];
  };
  const found = packages
    .filter(({ name, version, source }) => source !== null && names.has(`${name} ${version}`))
    .map(({ name, version, license, manifest_path }): Shipped => {
      const licence = license ?? "not said";
      const texts = textsOf(dirname(manifest_path), licence);
      return { name, version, licence, part: "solver", texts };
    });
  return [...found, library()];
}

/** Rust's standard library. */
function library(): Shipped {
  const version = /^rustc (\S+)/.exec(run("rustc", "--version"))?.[1] ?? "";
  const licence = "MIT OR Apache-2.0";
  const folder = join(run("rustc", "--print", "sysroot").trim(), "share/doc/rust/licenses");
  const mit = join(folder, "MIT.txt");
  // The licence file contains a placeholder for the names of the copyright holders.
  const texts = existsSync(mit)
    ? [`Copyright (c) The Rust Project Contributors\n\n${readFileSync(mit, "utf8").trim()}`]
    : [];
  return { name: "Rust standard library", version, licence, part: "solver", texts };
}

/**
 * Asks cargo for the crates. If cargo fails, returns the crates that the last build stored. If no
 * build has stored any, returns no crates and the reason. A build of the page does not need cargo:
 * the WebAssembly may have been built elsewhere.
 */
function cratesOrReason(): { found: Shipped[]; missing: string | null } {
  try {
    const found = crates();
    mkdirSync(dirname(cache), { recursive: true });
    writeFileSync(cache, JSON.stringify(found));
    return { found, missing: null };
  } catch {
    if (existsSync(cache)) {
      return { found: JSON.parse(readFileSync(cache, "utf8")) as Shipped[], missing: null };
    }
    const missing =
      "The Rust crates are not listed: cargo did not describe them when this page was built. " +
      "The project's Cargo.lock names them.";
    return { found: [], missing };
  }
}

/**
 * The content of licences.json. Packages refer to their licence texts by number, because many
 * packages share a text.
 */
function listing(folders: Iterable<string>): { text: string; missing: string | null } {
  const page = [...folders].flatMap((folder) => packageOf(folder) ?? []);
  const { found, missing } = cratesOrReason();
  const own = {
    name: "sliding-tile-pdb, this project",
    version: String(
      (JSON.parse(readFileSync(join(web, "../npm/package.json"), "utf8")) as { version: string })
        .version,
    ),
    licence: "MIT OR Apache-2.0",
    part: "page" as const,
    texts: textsOf(project, "all of them"),
  };
  const byName = (one: Shipped, other: Shipped) => one.name.localeCompare(other.name, "en");
  const texts: string[] = [];
  const numbers = new Map<string, number>();
  const packages = [own, ...page.sort(byName), ...found.sort(byName)].map((shipped) => ({
    ...shipped,
    texts: shipped.texts.map((text) => {
      // Texts that differ only in white space count as equal.
      const key = text.replace(/\s+/g, " ");
      const number = numbers.get(key) ?? texts.push(text) - 1;
      numbers.set(key, number);
      return number;
    }),
  }));
  return { text: JSON.stringify({ packages, texts, missing }), missing };
}

/** Writes licences.json: the packages in the bundle and in the WebAssembly, with their licences. */
export function licences(): Plugin {
  const name = "licences.json";
  return {
    name: "licences",

    generateBundle(_, bundle) {
      const ids = Object.values(bundle).flatMap((part) =>
        part.type === "chunk"
          ? Object.entries(part.modules).flatMap(([id, { renderedLength }]) =>
              renderedLength ? id : [],
            )
          : [],
      );
      const folders = new Set(ids.flatMap((id) => folderOf(id) ?? []));
      const { text, missing } = listing(folders);
      if (missing) this.warn(missing);
      this.emitFile({ type: "asset", fileName: name, source: text });
    },

    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        if (request.url?.split("?")[0] !== `/${name}`) return next();
        response.setHeader("Content-Type", "application/json");
        response.end(
          listing([join(web, "node_modules/svelte"), join(web, "node_modules/vite")]).text,
        );
      });
    },
  };
}
