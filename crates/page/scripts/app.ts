import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { Plugin, Rolldown } from "vite";

const policy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' blob: data:",
  // Other hosts are allowed only for a picture whose address the visitor enters.
  "connect-src 'self' blob: data: https:",
  "worker-src 'self' blob:",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** Bytes of the empty module that `scripts/build/npm.sh --no-threads` leaves. */
const PLACEHOLDER = 8;

/** Whether the package of this build has the module for several threads. */
export function hasThreads(): boolean {
  const file = new URL("../../npm/wasm-threads/sliding_tile_pdb_bg.wasm", import.meta.url);
  const found = statSync(file, { throwIfNoEntry: false });
  return found !== undefined && found.size > PLACEHOLDER;
}

/** The folders of the package's WebAssembly files. The file name is the same in each folder. */
const modules = ["wasm-rules", "wasm", "wasm-threads", "wasm-laboratory"] as const;
type ModuleName = (typeof modules)[number];

const moduleFile = (name: ModuleName) => new RegExp(`/${name}-[^/]{8}\\.wasm$`);

/**
 * Files of every visit: what the first sight needs, and what the first solution or hint needs. As
 * single files they would be sixty requests.
 */
const chunks = {
  // A module of a chunk runs when it is imported, not when the chunk is loaded.
  strictExecutionOrder: true,
  codeSplitting: {
    groups: [
      {
        name: "sight",
        test: /node_modules.svelte[^-]|src.(board|common|game|goal|play|text).(?!de|translation)/,
      },
      { name: "solution", test: /npm.dist.(?!board)|src.(solver|solve|advice|tables)./ },
    ],
  },
};

/** Asset names; files with the same name get different asset names. */
function assetName({ originalFileNames }: Rolldown.PreRenderedAsset): string {
  const paths = originalFileNames.map((path) => path.replaceAll("\\", "/"));
  const name = modules.find((each) => paths.some((path) => path.includes(`/${each}/`)));
  return `assets/${name ?? "[name]"}-[hash][extname]`;
}

/**
 * Files that are not stored with all others: a visit needs either the solver for one thread or the
 * solver for several threads, and the laboratory is stored once the visit is idle.
 */
const isRare = (file: string) =>
  modules.some((name) => name !== "wasm-rules" && moduleFile(name).test(`/${file}`));

/** The file of a module among the built files. */
function fileOf(name: ModuleName, bundle: Rolldown.OutputBundle): string {
  const names = Object.values(bundle).map(({ fileName }) => `./${fileName}`);
  const found = names.find((href) => moduleFile(name).test(href));
  if (found === undefined) throw new Error(`${name} is not among the built files`);
  return found;
}

/**
 * The text of early.js, a script that requests the solver's WebAssembly before the page's code
 * runs. The script chooses the same module as the page's code, for one or for several threads.
 */
function earlySolver(bundle: Rolldown.OutputBundle, withThreads: boolean): string {
  const find = (name: ModuleName) => JSON.stringify(fileOf(name, bundle));
  const several = `self.crossOriginIsolated && navigator.hardwareConcurrency > 1`;
  return `const link = document.createElement("link");
link.rel = "preload";
link.as = "fetch";
link.crossOrigin = "anonymous";
link.href = ${withThreads ? `${several} ? ${find("wasm-threads")} : ` : ""}${find("wasm")};
if (typeof WebAssembly === "object") document.head.append(link);
`;
}

/**
 * Turns the built files into an app: adds the content security policy, and the service worker with
 * the list of built files.
 */
export function app(): Plugin {
  let folder = "dist";
  let withThreads = true;
  return {
    name: "app",
    apply: "build",
    enforce: "post",

    config() {
      // By default Rolldown would list slow plugins on a busy machine.
      const checks = { pluginTimings: false };
      const output = { assetFileNames: assetName };
      // Workers are built separately. With the same names, a file that a worker shares with the
      // page gets the same name in both builds.
      return {
        build: { rolldownOptions: { checks, output: { ...output, ...chunks } } },
        worker: { rolldownOptions: { checks, output } },
      };
    },

    transformIndexHtml(html) {
      const charset = '<meta charset="utf-8" />';
      const security = `<meta http-equiv="Content-Security-Policy" content="${policy}" />`;
      return {
        // The policy precedes everything to which it applies.
        html: html.replace(charset, `${charset}\n    ${security}`),
        tags: [{ tag: "script", attrs: { src: "./early.js", async: true }, injectTo: "head" }],
      };
    },

    configResolved(config) {
      folder = resolve(config.root, config.build.outDir);
      // The page's code reads `__THREADS__`, too. early.js must choose the same module.
      withThreads = JSON.stringify(config.define?.__THREADS__) === "true";
    },

    generateBundle(_options, bundle) {
      const source = earlySolver(bundle, withThreads);
      this.emitFile({ type: "asset", fileName: "early.js", source });
    },

    // Runs after all plugins have written their files, because the service worker lists every file.
    closeBundle() {
      if (!existsSync(join(folder, "index.html"))) return;
      const files = readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
        .filter((file) => file !== "sw.js" && !file.endsWith(".map"))
        .sort();
      const template = readFileSync(new URL("../sw/worker.js", import.meta.url), "utf8");
      const hash = createHash("sha256").update(template);
      for (const file of files) hash.update(file).update(readFileSync(join(folder, file)));
      const addresses = files.map((file) => (file === "index.html" ? "" : file));
      const list = (rare: boolean) =>
        JSON.stringify(
          addresses.filter((file) => isRare(file) === rare),
          null,
          2,
        );
      const worker = template
        .replace("__VERSION__", hash.digest("hex").slice(0, 16))
        .replace("__FILES__", list(false))
        .replace("__RARE__", list(true));
      writeFileSync(join(folder, "sw.js"), worker);
    },
  };
}
