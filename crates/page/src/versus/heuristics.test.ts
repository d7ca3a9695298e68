import type { Laboratory } from "sliding-tile-pdb";
import { expect, test, vi } from "vitest";

vi.mock("sliding-tile-pdb", () => ({ createSolver: () => Promise.reject(new Error("no")) }));
const { Heuristics } = await import("./heuristics.svelte.ts");

test("available heuristics and built partitions are offered, each once", async () => {
  const known = ["zero", "manhattan", "6-6-3"];
  let calls = 0;
  const laboratory = { heuristics: () => Promise.resolve((calls++, known)) };
  const heuristics = new Heuristics(
    () => Promise.resolve(laboratory as unknown as Laboratory),
    (size) => (size === "4x4" ? ["6-6-3", "none", "5-5-5"] : []),
  );
  expect(heuristics.of("4x4")).toContain("walking-distance");
  await heuristics.learn("4x4");
  await heuristics.learn("4x4");
  expect(heuristics.of("4x4")).toEqual([...known, "5-5-5"]);
  expect(calls).toBe(1);
});

test("heuristics of every size are offered if the laboratory cannot be loaded", async () => {
  const heuristics = new Heuristics(
    () => Promise.reject(new Error("no laboratory")),
    () => [],
  );
  await heuristics.learn("4x4");
  expect(heuristics.of("4x4")).toContain("manhattan");
});
