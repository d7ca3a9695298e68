import type { ComparisonRecord, Laboratory, Plot, PlotOptions } from "sliding-tile-pdb";
import { expect, it, vi } from "vitest";
import { Bench } from "./bench.ts";
import { Drawer } from "./drawer.svelte.ts";

const plot: Plot = { name: "time", title: "", x: "", y: "", svg: "<svg/>", series: [] };

/**
 * A drawer with a fake laboratory. The laboratory returns one plot whose title is the set and the
 * width. With `fails`, it rejects every call.
 */
function drawer(asked: string[], fails = false): Drawer {
  const plots = (_: readonly ComparisonRecord[], options: PlotOptions = {}) => {
    asked.push(`${options.set} ${options.width}`);
    if (fails) return Promise.reject(new Error("no"));
    return Promise.resolve([{ ...plot, title: asked.at(-1) ?? "" }]);
  };
  const laboratory = { plots, close: () => undefined } as unknown as Laboratory;
  return new Drawer(new Bench(() => Promise.resolve(laboratory)));
}

const of = (set: string) => ({ records: [], options: { set, width: 300, bare: true } });

it("draws the first and the last of the subjects that arrive at once", async () => {
  const asked: string[] = [];
  const own = drawer(asked);
  const all = Promise.all(["one", "two", "three"].map((set) => own.show(of(set))));
  await vi.waitFor(() => expect(own.plots[0]?.title).toBe("one 300"));
  own.hurry();
  await all;
  expect(asked).toEqual(["one 300", "three 300"]);
  expect(own.plots[0].title).toBe("three 300");
});

it("has a document with its own width", async () => {
  const own = drawer([]);
  expect(await own.document("time", of("one"))).toBe("<svg/>");
  expect(await own.document("h", of("one"))).toBeUndefined();
});

it("keeps what it drew when a drawing fails", async () => {
  const own = drawer([], true);
  await own.show(of("one"));
  expect(own.failure).toBe("No.");
  expect(own.plots).toEqual([]);
});
