import type { Language, Words } from "./words.js";

/** What each language is called in itself. */
export const languageNames: { readonly [Name in Language]: string } = { en: "English", zh: "中文" };

/** Loads the words of a language. */
export async function loadWords(language: Language): Promise<Words> {
  if (language === "zh") return (await import("./chinese.js")).chinese;
  return (await import("./english.js")).english;
}

/** The language to begin with: the last choice, else that of the browser. */
export function firstLanguage(chosen: string | null, browser: string): Language {
  if (chosen === "en" || chosen === "zh") return chosen;
  return browser.toLowerCase().startsWith("zh") ? "zh" : "en";
}
