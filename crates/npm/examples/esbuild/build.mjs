// esbuild does not find the package's workers and modules. Here the workers are entry points and
// the modules are copied; src/main.js passes their addresses to the solver.
import { build } from "esbuild";
import { copyFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const file = (name) => fileURLToPath(import.meta.resolve(`sliding-tile-pdb/${name}`));
await build({
  entryPoints: {
    main: "src/main.js",
    worker: file("worker"),
    "worker-threads": file("worker-threads"),
  },
  bundle: true,
  minify: true,
  format: "esm",
  outdir: "dist",
});
for (const name of ["wasm", "wasm-threads"]) copyFileSync(file(name), `dist/${name}.wasm`);
copyFileSync("src/index.html", "dist/index.html");
