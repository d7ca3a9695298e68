import { expect, test, vi } from "vitest";

vi.mock("sliding-tile-pdb", () => ({ createLaboratory: () => Promise.reject(new Error("no")) }));
const { bench, beginSearch } = await import("./bench.ts");

test("the worker ends after searches that store nodes, once it is idle", () => {
  const close = vi.spyOn(bench, "close");
  beginSearch("ida-star")();
  expect(close).not.toHaveBeenCalled();
  const ends = [beginSearch("astar"), beginSearch("ida-star")];
  ends[0]();
  expect(close).not.toHaveBeenCalled();
  ends[1]();
  expect(close).toHaveBeenCalledOnce();
});
