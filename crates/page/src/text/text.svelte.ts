/**
 * The texts of the page in the visitor's language. A new language needs one data file and one line
 * here.
 */
import { load, save } from "../common/browser.ts";
import { en, type Language } from "./en.ts";

/** Names of the languages, and how their texts are loaded; English is always loaded. */
const languages = {
  en: { name: "English", read: async (): Promise<Language> => en },
  de: { name: "Deutsch", read: () => translation("de", () => import("./de.json")) },
};

async function translation(
  code: string,
  load: () => Promise<{ default: unknown }>,
): Promise<Language> {
  const [{ translated }, { default: data }] = await Promise.all([
    import("./translation.ts"),
    load(),
  ]);
  return translated(code, en, data) as Language;
}

export type LanguageCode = keyof typeof languages;
export const languageNames = Object.entries(languages).map(
  ([code, { name }]) => [code as LanguageCode, name] as const,
);

let texts = $state.raw<Language>(en);
let code = $state<LanguageCode>("en");

/** The texts, by part of the page: `text.solve.play`. Components follow a change of language. */
export const text: Language = new Proxy(en, {
  get: (_, part) => Reflect.get(texts, part),
});

export const language = {
  get code(): LanguageCode {
    return code;
  },
};

const isKnown = (name: unknown): name is LanguageCode =>
  typeof name === "string" && Object.hasOwn(languages, name);

/** The stored language; without it, the first of the browser's languages that the page has. */
function preferred(): LanguageCode {
  const kept = load("language");
  if (isKnown(kept)) return kept;
  const asked = typeof navigator === "undefined" ? [] : navigator.languages;
  return asked.map((tag) => tag.split("-")[0]).find(isKnown) ?? "en";
}

/** Changes the language; if its file cannot be loaded, the texts stay as they are. */
export async function speak(name: LanguageCode): Promise<void> {
  texts = await languages[name].read();
  code = name;
  if (typeof document === "undefined") return;
  document.documentElement.lang = name;
  document.title = text.notices.page;
}

/** Calls `speak`, and stores the language for the next visit. */
export async function choose(name: LanguageCode): Promise<void> {
  await speak(name);
  save("language", name);
}

/** Loads the preferred language. Call this once, before anything is shown. */
export function startLanguage(): Promise<void> {
  return speak(preferred()).catch(() => undefined);
}
