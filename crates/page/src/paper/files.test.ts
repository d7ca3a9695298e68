import { expect, it } from "vitest";
import { withinTime } from "./embedding.ts";

it("an animation of the package plays within two minutes", () => {
  expect(withinTime(".p{animation:19500ms ease}")).toBe(".p{animation:19500ms ease}");
  expect(withinTime(".p{animation:670000ms ease}")).toBe(".p{animation:120000ms ease}");
});
