import type { Rolldown } from "vite";
import { describe, expect, it } from "vitest";
import { earlySolver } from "./app.ts";

/** A bundle with the file names of a built page. */
const bundle = Object.fromEntries(
  ["wasm-rules-AAAAAAAA.wasm", "wasm-BBBBBBBB.wasm", "wasm-threads-CCCCCCCC.wasm"].map((name) => [
    name,
    { fileName: `assets/${name}` },
  ]),
) as unknown as Rolldown.OutputBundle;

/** Runs a script in a fake page, and returns the address that the script requests. */
function asked(script: string, crossOriginIsolated: boolean): string {
  const link = { href: "" };
  const document = { createElement: () => link, head: { append: () => undefined } };
  new Function("document", "self", "navigator", script)(
    document,
    { crossOriginIsolated },
    { hardwareConcurrency: 2 },
  );
  return link.href;
}

describe("earlySolver", () => {
  it("asks for the module that the visit needs", () => {
    const script = earlySolver(bundle, true);
    expect(asked(script, true)).toBe("./assets/wasm-threads-CCCCCCCC.wasm");
    expect(asked(script, false)).toBe("./assets/wasm-BBBBBBBB.wasm");
  });

  it("never asks for the module with threads in a build without threads", () => {
    const script = earlySolver(bundle, false);
    expect(asked(script, true)).toBe("./assets/wasm-BBBBBBBB.wasm");
    expect(asked(script, false)).toBe("./assets/wasm-BBBBBBBB.wasm");
  });
});
