import { defineConfig } from "vite";

export default defineConfig({
  // In development the package must stay in its folder, next to its worker and its module.
  optimizeDeps: { exclude: ["sliding-tile-pdb"] },
});
