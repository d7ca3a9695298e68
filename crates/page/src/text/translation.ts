import { IntlMessageFormat } from "intl-messageformat";

/**
 * The texts of a data file in the shape of the English texts. Where English has a function, the
 * data has a message with numbered arguments, `{0, plural, one {Zug} other {Züge}}`, or an object
 * whose keys are the values of the first argument.
 * @throws Error if a text is missing or not a message
 */
export function translated(code: string, english: unknown, data: unknown, path = ""): unknown {
  if (typeof english === "function") {
    if (typeof data === "object" && data !== null) {
      return (key: string) => (data as Record<string, string>)[key];
    }
    const message = new IntlMessageFormat(written(data, path), code, {}, { ignoreTag: true });
    return (...values: unknown[]) =>
      message.format(Object.fromEntries(values.map((value, index) => [index, String(value)])));
  }
  if (typeof english === "string") return written(data, path);
  const texts = Object.entries(english as object).map(([key, value]) => [
    key,
    translated(code, value, (data as Record<string, unknown> | undefined)?.[key], `${path}.${key}`),
  ]);
  return Object.fromEntries(texts);
}

function written(data: unknown, path: string): string {
  if (typeof data !== "string") throw new Error(`no text for ${path}`);
  return data;
}
