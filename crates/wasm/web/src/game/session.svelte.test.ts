import { beforeEach, expect, test, vi } from "vitest";

let error = new Error();
vi.mock("sliding-tile-pdb", () => ({ loadPuzzle: () => Promise.reject(error) }));
const { notices } = await import("../common/notice.svelte.ts");
const { loadRules } = await import("./session.svelte.ts");

beforeEach(() => (notices.list = []));

test("what a browser lacks is named, and not to be had by loading again", async () => {
  error = Object.assign(new Error("not a WebAssembly module"), { code: "unsupported" });
  await loadRules();
  expect(notices.list).toHaveLength(1);
  expect(notices.list[0].text).toContain("no WebAssembly with SIMD");
  expect(notices.list[0].action).toBeUndefined();
});

test("rules that did not arrive can be loaded again", async () => {
  error = Object.assign(new Error("status 404"), { code: "download" });
  await loadRules();
  expect(notices.list.map(({ action }) => action?.label)).toEqual(["Load again"]);
});
