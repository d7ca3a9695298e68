import { defineConfig } from "vite";

export default defineConfig({
  // In development the package's files stay where they are: next to its worker and its module.
  optimizeDeps: { exclude: ["sliding-tile-pdb"] },
});
