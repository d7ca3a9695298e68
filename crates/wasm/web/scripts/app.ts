import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { Plugin, Rolldown } from "vite";

const policy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' blob: data:",
  // Other hosts only where the visitor names one: a picture by address.
  "connect-src 'self' blob: data: https:",
  "worker-src 'self' blob:",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** Its pictures are in public: icon.svg at 192 and 512 pixels, maskable at 72 % on its colour. */
const manifest = {
  name: "Sliding tiles",
  short_name: "Sliding tiles",
  description: "Play sliding-tile puzzles and solve them optimally, on your own machine.",
  id: "./",
  start_url: "./",
  scope: "./",
  display: "standalone",
  background_color: "#f5f2ec",
  theme_color: "#f5f2ec",
  icons: [
    { src: "icon.svg", sizes: "any", type: "image/svg+xml" },
    { src: "icon-192.png", sizes: "192x192", type: "image/png" },
    { src: "icon-512.png", sizes: "512x512", type: "image/png" },
    { src: "icon-maskable-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
  ],
};

/** The package's WebAssembly files by their folders: all of them have the same name. */
const modules = ["wasm-rules", "wasm", "wasm-threads"] as const;
type ModuleName = (typeof modules)[number];

const moduleFile = (name: ModuleName) => new RegExp(`/${name}-[^/]{8}\\.wasm$`);

/** Assets under names of their own, where their files have none. */
function assetName({ originalFileNames }: Rolldown.PreRenderedAsset): string {
  const paths = originalFileNames.map((path) => path.replaceAll("\\", "/"));
  const name = modules.find((each) => paths.some((path) => path.includes(`/${each}/`)));
  return `assets/${name ?? "[name]"}-[hash][extname]`;
}

/**
 * Files that are kept when they are used, not beforehand: no visit needs both solvers, the one for
 * a single thread and the one for several.
 */
const isRare = (file: string) =>
  file.includes("threads") || moduleFile("wasm").test(`/${file}`) || /worker-[^/]*\.js$/.test(file);

/** Files that the page needs as soon as it runs: requested with the page, they arrive sooner. */
function early(bundle: Rolldown.OutputBundle): Record<string, string>[] {
  const links: Record<string, string>[] = [];
  for (const output of Object.values(bundle)) {
    const href = `./${output.fileName}`;
    if (moduleFile("wasm-rules").test(href)) {
      links.push({ rel: "preload", as: "fetch", crossorigin: "anonymous", href });
    }
    const isPackage = (id: string) => id.replaceAll("\\", "/").endsWith("npm/dist/index.js");
    if (output.type === "chunk" && !output.isEntry && output.moduleIds.some(isPackage)) {
      links.push({ rel: "modulepreload", crossorigin: "", href });
    }
  }
  return links;
}

/**
 * A script that asks for the solver which this visit needs, before the page's own code is there to
 * do so; the condition is that of the package.
 */
export function earlySolver(bundle: Rolldown.OutputBundle, withThreads: boolean): string {
  const names = Object.values(bundle).map(({ fileName }) => `./${fileName}`);
  const find = (name: ModuleName) => {
    const found = names.find((href) => moduleFile(name).test(href));
    if (found === undefined) throw new Error(`${name} is not among the built files`);
    return JSON.stringify(found);
  };
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
 * Parts that make the built files an app: manifest, the page's content security policy, and the
 * service worker with the list of what was built.
 */
export function app(): Plugin {
  let folder = "dist";
  let withThreads = true;
  return {
    name: "app",
    apply: "build",
    enforce: "post",

    config() {
      // (On a busy machine Rolldown would list plugins that take long.)
      const checks = { pluginTimings: false };
      const rolldownOptions = { checks, output: { assetFileNames: assetName } };
      // Workers are built on their own, and name the same files.
      return { build: { rolldownOptions }, worker: { rolldownOptions } };
    },

    transformIndexHtml(html, { bundle }) {
      const link = (attributes: Record<string, string>) =>
        ({ tag: "link", attrs: attributes, injectTo: "head" }) as const;
      const charset = '<meta charset="utf-8" />';
      const security = `<meta http-equiv="Content-Security-Policy" content="${policy}" />`;
      return {
        // Before anything that it rules.
        html: html.replace(charset, `${charset}\n    ${security}`),
        tags: [
          { tag: "script", attrs: { src: "./early.js", async: true }, injectTo: "head" },
          ...early(bundle ?? {}).map(link),
          link({ rel: "apple-touch-icon", href: "./icon-192.png" }),
          link({ rel: "manifest", href: "./manifest.webmanifest" }),
        ],
      };
    },

    configResolved(config) {
      folder = resolve(config.root, config.build.outDir);
      // One decision for the page and for what asks ahead of it.
      withThreads = JSON.stringify(config.define?.__THREADS__) === "true";
    },

    generateBundle(_options, bundle) {
      const emit = (fileName: string, source: string) =>
        this.emitFile({ type: "asset", fileName, source });
      emit("early.js", earlySolver(bundle, withThreads));
      emit("manifest.webmanifest", JSON.stringify(manifest, null, 2) + "\n");
    },

    // Files of the finished bundle, from any source.
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
