import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import license from "rollup-plugin-license";
import type { Plugin } from "vite";

const project = fileURLToPath(new URL("../../..", import.meta.url));

/** Licences of the crates in the WebAssembly. Without Python or cargo, a sentence. */
function crates(): string {
  const words = ["--package", "wasm", "--target", "wasm32-unknown-unknown"];
  try {
    const script = "scripts/release/third-party.py";
    const options = { cwd: project, encoding: "utf8", maxBuffer: 1e9 } as const;
    return execFileSync("python3", [script, ...words], options);
  } catch {
    return "The Rust crates are not listed: Python or cargo was missing when this page was built.";
  }
}

/** Writes licences.txt: the code of others in the page's scripts and in its WebAssembly. */
export function licences(folder: string): Plugin {
  const plugin = license({
    thirdParty: {
      output: {
        file: `${folder}/licences.txt`,
        template: (dependencies) =>
          [...dependencies.map((each) => each.text()), crates()].join("\n\n---\n\n"),
      },
    },
  });
  return { ...plugin, apply: "build" } as Plugin;
}
