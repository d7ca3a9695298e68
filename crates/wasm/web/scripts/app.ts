import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { Plugin, Rolldown } from "vite";
import { iconPng } from "./icon.ts";

const policy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' blob: data:",
  // Other hosts only where the visitor names one: a picture or tables by address.
  "connect-src 'self' blob: data: https:",
  "worker-src 'self' blob:",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

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

/** Files that are fetched when they are used, not beforehand: half of the browsers never do. */
const isRare = (file: string) => file.includes("threads");

/** What the page asks for as soon as it runs: asked for with the page, it is there sooner. */
function early(bundle: Rolldown.OutputBundle): Record<string, string>[] {
  const links: Record<string, string>[] = [];
  for (const output of Object.values(bundle)) {
    const href = `./${output.fileName}`;
    if (output.type === "asset" && href.endsWith(".wasm") && !isRare(href)) {
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
 * What makes the built files an app: icons, manifest, the page's content security policy, and the
 * service worker with the list of what was built.
 */
export function app(): Plugin {
  let folder = "dist";
  return {
    name: "app",
    apply: "build",
    enforce: "post",

    transformIndexHtml(html, { bundle }) {
      const link = (attributes: Record<string, string>) =>
        ({ tag: "link", attrs: attributes, injectTo: "head" }) as const;
      const charset = '<meta charset="utf-8" />';
      const security = `<meta http-equiv="Content-Security-Policy" content="${policy}" />`;
      return {
        // Before anything that it rules.
        html: html.replace(charset, `${charset}\n    ${security}`),
        tags: [
          ...early(bundle ?? {}).map(link),
          link({ rel: "apple-touch-icon", href: "./icon-192.png" }),
          link({ rel: "manifest", href: "./manifest.webmanifest" }),
        ],
      };
    },

    configResolved(config) {
      folder = resolve(config.root, config.build.outDir);
    },

    generateBundle() {
      const emit = (fileName: string, source: string | Uint8Array) =>
        this.emitFile({ type: "asset", fileName, source });
      emit("icon-192.png", iconPng({ pixels: 192, isMaskable: false }));
      emit("icon-512.png", iconPng({ pixels: 512, isMaskable: false }));
      emit("icon-maskable-512.png", iconPng({ pixels: 512, isMaskable: true }));
      emit("manifest.webmanifest", JSON.stringify(manifest, null, 2) + "\n");
    },

    // What is there in the end, from whatever it came.
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
