// Conditions of a measurement: machine, commit, date, load.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";

const output = (command, ...parts) => {
  try {
    return execFileSync(command, parts, { encoding: "utf8", cwd: import.meta.dirname }).trim();
  } catch {
    return "unknown";
  }
};

function system() {
  const release = readFileSync("/etc/os-release", "utf8");
  const name = /^PRETTY_NAME="?([^"\n]*)/m.exec(release)?.[1] ?? "unknown";
  return `Linux ${output("uname", "-r")}, ${name}`;
}

/** Machine, commit, date and load. The machine includes the versions of Node and Chromium. */
export function circumstances(chromium) {
  const { model } = cpus()[0];
  return {
    machine: {
      cpu: model,
      cores: cpus().length,
      memory_gib: Number((totalmem() / 2 ** 30).toFixed(1)),
      os: system(),
      node: process.version.slice(1),
      chromium,
      virtual: /hypervisor/.test(readFileSync("/proc/cpuinfo", "utf8")),
    },
    commit: output("git", "rev-parse", "--short", "HEAD"),
    date: new Date().toISOString().slice(0, 16).replace("T", " "),
    load: Number(loadavg()[0].toFixed(2)),
  };
}

/** Mean, median, 99th percentile, worst and total. */
export function statistics(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const total = sorted.reduce((sum, each) => sum + each, 0);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)];
  const short = (value) => Number(value.toFixed(3));
  return {
    mean: short(total / sorted.length),
    median: short(at(0.5)),
    p99: short(at(0.99)),
    worst: short(sorted.at(-1)),
    total: short(total),
  };
}
