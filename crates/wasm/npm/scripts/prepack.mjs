// Makes the package's files complete before `npm pack` and `npm publish`: compiles, brings the
// licences, and checks that the module was built.
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const directory = fileURLToPath(new URL("..", import.meta.url));
const repository = fileURLToPath(new URL("../../../..", import.meta.url));

for (const file of ["sliding_tile_pdb.js", "sliding_tile_pdb.d.ts", "sliding_tile_pdb_bg.wasm"]) {
  if (existsSync(join(directory, "wasm", file))) continue;
  console.error(`no wasm/${file}: build the WebAssembly module first (README.md, "Building")`);
  process.exit(1);
}

const tsc = join(directory, "node_modules/typescript/bin/tsc");
execFileSync(process.execPath, [tsc, "-p", directory], { stdio: "inherit" });
// What was compiled of sources that are no more.
for (const file of readdirSync(join(directory, "dist"))) {
  const source = file.replace(/(\.d\.ts|\.js)(\.map)?$/, ".ts");
  if (!existsSync(join(directory, "src", source))) rmSync(join(directory, "dist", file));
}

for (const file of ["LICENSE-APACHE", "LICENSE-MIT"]) {
  copyFileSync(join(repository, file), join(directory, file));
}
