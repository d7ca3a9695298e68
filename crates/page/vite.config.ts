import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { app, hasThreads } from "./scripts/app.ts";
import { isolation } from "./scripts/isolation.mjs";
import { licences } from "./scripts/licences.ts";

/** The headers of the built page's server, unless a test of other hosts leaves them out. */
const headers = process.env.PAGE_ISOLATION === "no" ? {} : isolation;

export default defineConfig({
  // Relative addresses, so that the page can be in any folder of any host.
  base: "./",
  define: { __THREADS__: hasThreads() },
  plugins: [svelte(), licences(fileURLToPath(new URL("dist", import.meta.url))), app()],
  // The package expects its worker and its WebAssembly next to its own files.
  optimizeDeps: { exclude: ["sliding-tile-pdb"] },
  server: { headers, fs: { allow: [".."] } },
  preview: { headers, port: 8080, strictPort: true },
  worker: { format: "es" },
  build: { target: "es2022", assetsInlineLimit: 0, reportCompressedSize: false },
  // Tests run the browser version of the code, in which runes are reactive.
  resolve: process.env.VITEST ? { conditions: ["browser"] } : {},
  test: {
    include: ["{src,scripts}/**/*.test.ts"],
    // Test files share processes: with one process per file, the tests take 25 s instead of 9 s.
    isolate: false,
    // The time limit only stops tests that hang. On a busy machine some tests take several seconds.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
