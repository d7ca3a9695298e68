import { expect, test } from "vitest";
import { pageError, isCancelled, sentence } from "./error.ts";

test("messages are sentences, names stay as they are", () => {
  expect(sentence("the file is damaged")).toBe("The file is damaged.");
  expect(sentence("https://a.b/c.json: HTTP status 404")).toBe(
    "https://a.b/c.json: HTTP status 404.",
  );
  expect(sentence("")).not.toBe("");
});

test("the remedy depends on the code, also for plain objects and any exception", () => {
  const memory = Object.assign(new Error("out of memory"), { code: "memory" });
  expect(pageError(memory).text).toMatch(/^Out of memory\. Choose a smaller partition/);
  expect(pageError("odd")).toEqual({ code: "error", text: "Odd." });
});

test("cancelling differs from failing", () => {
  expect(isCancelled(Object.assign(new Error("x"), { code: "cancelled" }))).toBe(true);
  expect(isCancelled(new DOMException("x", "AbortError"))).toBe(true);
  expect(isCancelled(new Error("cancelled"))).toBe(false);
});
