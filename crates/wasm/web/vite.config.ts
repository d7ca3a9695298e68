import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

const isolation = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

export default defineConfig({
  // Relative addresses: the page may live in any folder of any host.
  base: "./",
  plugins: [svelte()],
  // The package finds its worker and its WebAssembly next to its own files.
  optimizeDeps: { exclude: ["sliding-tile-pdb"] },
  server: { headers: isolation, fs: { allow: [".."] } },
  worker: { format: "es" },
  build: { target: "es2022", assetsInlineLimit: 0, reportCompressedSize: false },
  test: { include: ["src/**/*.test.ts"] },
});
