import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { app } from "./scripts/app.ts";
import { hasThreads } from "./scripts/has-threads.ts";
import { licences } from "./scripts/licences.ts";

const isolation = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

export default defineConfig({
  // Relative addresses, so that the page can be in any folder of any host.
  base: "./",
  define: { __THREADS__: hasThreads() },
  plugins: [svelte(), licences(), app()],
  // The package expects its worker and its WebAssembly next to its own files.
  optimizeDeps: { exclude: ["sliding-tile-pdb"] },
  server: { headers: isolation, fs: { allow: [".."] } },
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
