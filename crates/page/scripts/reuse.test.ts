// scripts/build/reuse.sh: build steps are skipped while inputs and outputs are unchanged.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const { sumOf } = (await import(join(root, "scripts/build/sum.mjs"))) as {
  sumOf(paths: string[], words?: string[]): string;
};
let folder = "";
const sum = (...words: string[]) => sumOf([join(folder, "in")], words);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "reuse-"));
  mkdirSync(join(folder, "in/deep"), { recursive: true });
  writeFileSync(join(folder, "in/deep/a"), "one");
  writeFileSync(join(folder, "out"), "made");
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("sum", () => {
  it("depends on names and contents, not on times", () => {
    const first = sum();
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    utimesSync(join(folder, "in/deep/a"), 1, 1);
    expect(sum()).toBe(first);
    writeFileSync(join(folder, "in/deep/a"), "two");
    expect(sum()).not.toBe(first);
  });

  it("notices new, lost and renamed files, and words", () => {
    const sums = new Set([sum(), sum("word"), sum("wo", "rd")]);
    writeFileSync(join(folder, "in/b"), "");
    sums.add(sum());
    rmSync(join(folder, "in/b"));
    writeFileSync(join(folder, "in/c"), "");
    sums.add(sum());
    rmSync(join(folder, "in"), { recursive: true });
    expect(sums.add(sum()).size).toBe(6);
  });

  it("leaves node_modules out", () => {
    const first = sum();
    mkdirSync(join(folder, "in/node_modules"));
    expect(sum()).toBe(first);
  });
});

it("a build step is current while inputs and outputs are unchanged", () => {
  const script = `
    set -euo pipefail
    source scripts/build/reuse.sh
    cd "$1"
    # Starting Node for each sum would take seconds on a busy machine.
    sum() { cat -- $(find "$@" -type f 2>/dev/null) /dev/null | cksum | tr " " -; }
    tell() { if is_current step "$(sum in)" out; then echo "$1: current"; else echo "$1: not"; fi; }
    tell begin
    note step "$(sum in)" out
    tell noted
    echo two >in/deep/a
    tell "input changed"
    printf one >in/deep/a
    tell "input restored"
    echo edited >out
    tell "output changed"
    rm out
    tell "output gone"`;
  const env = { ...process.env, CARGO_TARGET_DIR: join(folder, "target") };
  const { stdout } = spawnSync("bash", ["-c", script, "bash", folder], {
    cwd: root,
    env,
    encoding: "utf8",
  });
  expect(stdout.trim().split("\n")).toEqual([
    "begin: not",
    "noted: current",
    "input changed: not",
    "input restored: current",
    "output changed: not",
    "output gone: not",
  ]);
}, 30_000);
