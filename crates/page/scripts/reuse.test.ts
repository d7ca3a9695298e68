// scripts/build/reuse.sh: build steps are skipped while inputs and outputs are unchanged.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";

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

it("a sum depends on names and contents, not on times or node_modules", () => {
  const first = sum();
  expect(first).toMatch(/^[0-9a-f]{64}$/);
  utimesSync(join(folder, "in/deep/a"), 1, 1);
  mkdirSync(join(folder, "in/node_modules"));
  expect(sum()).toBe(first);
  const sums = new Set([first, sum("word"), sum("wo", "rd")]);
  const changed = (change: () => void) => (change(), sums.add(sum()));
  changed(() => writeFileSync(join(folder, "in/deep/a"), "two"));
  changed(() => writeFileSync(join(folder, "in/b"), ""));
  changed(() => renameSync(join(folder, "in/b"), join(folder, "in/c")));
  changed(() => rmSync(join(folder, "in"), { recursive: true }));
  expect(sums.size).toBe(7);
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
  const options = { cwd: root, env, encoding: "utf8" } as const;
  const { stdout } = spawnSync("bash", ["-c", script, "bash", folder], options);
  expect(stdout.trim().split("\n")).toEqual([
    "begin: not",
    "noted: current",
    "input changed: not",
    "input restored: current",
    "output changed: not",
    "output gone: not",
  ]);
}, 30_000);
