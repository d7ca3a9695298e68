// Completes the package's files before `npm pack` and `npm publish`: compiles, adds the licences
// (with Python 3), and checks that the modules are built.
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const directory = fileURLToPath(new URL("..", import.meta.url));
const repository = fileURLToPath(new URL("../../..", import.meta.url));

// Functions that each module must have or lack. Without this check, a wrong module would fail only
// in use.
const modules = {
  "wasm-rules": { has: ["session_call"], lacks: ["on_cancel", "session_add"] },
  wasm: { has: ["session_add", "sha256"], lacks: ["start_threads"] },
  "wasm-threads": { has: ["session_add", "start_threads", "work"], lacks: [] },
  "wasm-laboratory": { has: ["session_call", "on_cancel"], lacks: ["session_add", "sha256"] },
};
for (const [name, { has, lacks }] of Object.entries(modules)) {
  for (const file of ["sliding_tile_pdb.js", "sliding_tile_pdb.d.ts", "sliding_tile_pdb_bg.wasm"]) {
    if (existsSync(join(directory, name, file))) continue;
    fail(`no ${name}/${file}`);
  }
  const bytes = readFileSync(join(directory, name, "sliding_tile_pdb_bg.wasm"));
  const module = new WebAssembly.Module(bytes);
  const exported = new Set(WebAssembly.Module.exports(module).map((one) => one.name));
  const takesMemory = WebAssembly.Module.imports(module).some(({ kind }) => kind === "memory");
  const isRight =
    has.every((one) => exported.has(one)) &&
    !lacks.some((one) => exported.has(one)) &&
    takesMemory === (name === "wasm-threads");
  if (!isRight) fail(`${name} is not the module of that name`);
}

function fail(what) {
  console.error(`${what}: build the WebAssembly modules first (scripts/build/npm.sh)`);
  process.exit(1);
}

const tsc = join(directory, "node_modules/typescript/bin/tsc");
execFileSync(process.execPath, [tsc, "-p", directory], { stdio: "inherit" });
// Removes compiled files whose sources no longer exist.
for (const file of readdirSync(join(directory, "dist"), { recursive: true })) {
  const source = file.replace(/(\.d\.ts|\.js)(\.map)?$/, ".ts");
  if (!existsSync(join(directory, "src", source))) rmSync(join(directory, "dist", file));
}

for (const file of ["LICENSE-APACHE", "LICENSE-MIT"]) {
  copyFileSync(join(repository, file), join(directory, file));
}
const licences = ["--package", "wasm", "--target", "wasm32-unknown-unknown", "--out"];
execFileSync(
  "python3",
  [
    join(repository, "scripts/release/third-party.py"),
    ...licences,
    join(directory, "THIRD-PARTY-LICENSES"),
  ],
  { stdio: "inherit" },
);
