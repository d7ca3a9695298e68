import { expect, it } from "vitest";
import german from "./de.json";
import { en, type Language } from "./en.ts";
import { translated } from "./translation.ts";

const functions = (texts: object): [string, (...values: unknown[]) => string][] =>
  Object.entries(texts).flatMap(([key, value]) =>
    typeof value === "function" ? [[key, value] as const] : functionsOf(value),
  ) as [string, (...values: unknown[]) => string][];
const functionsOf = (value: unknown) => (typeof value === "object" ? functions(value!) : []);

it("reads every German text", () => {
  const de = translated("de", en, german) as Language;
  for (const [name, write] of functions(de)) {
    const text = write(...Array(5).fill(2));
    if (text !== undefined) expect(text, name).not.toMatch(/[{}]|undefined/);
  }
  expect(de.solve.moves(1, "1")).toBe("1 Zug");
  expect(de.solve.moves(1200, "1.200")).toBe("1.200 Züge");
  expect(de.element.canMove("U")).toBe("kann nach oben");
  expect(de.element.mark("hint U")).toBe("Hinweis: nach oben schieben");
  const words = "3 Steine nach links, Lücke Zeile 1";
  expect(de.element.moved(undefined, 3, "L", "Zeile 1")).toBe(words);
});

it("rejects data without a text, and messages that it cannot read", () => {
  expect(() => translated("de", { a: "x", b: "y" }, { a: "z" })).toThrow("no text for .b");
  expect(() => translated("de", { a: () => "" }, { a: "{0" })).toThrow();
});

it("has no text that English lacks", () => {
  const keys = (texts: object, path = ""): string[] =>
    Object.entries(texts).flatMap(([key, value]) =>
      typeof value === "object" ? keys(value, `${path}.${key}`) : `${path}.${key}`,
    );
  const english = new Set(keys(en));
  const isValue = (key: string) => key.startsWith(".element.mark.");
  expect(keys(german).filter((key) => !english.has(key) && !isValue(key))).toEqual([]);
});
