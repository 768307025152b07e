/** Whether a text is a BCP 47 tag, such as "en-GB". */
export function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

/** Whether the day stands before the month in figures; nothing where nobody said how dates are written. */
export function isDayFirst(locale: string | undefined): boolean | undefined {
  if (locale === undefined) return undefined;
  const figures = { year: "numeric", month: "numeric", day: "numeric" } as const;
  const types = new Intl.DateTimeFormat(locale, { ...figures, calendar: "gregory" })
    .formatToParts(0)
    .map(({ type }) => type);
  return types.indexOf("day") < types.indexOf("month");
}

/** The language of a locale: "de" of "de-CH". */
export function languageOf(locale: string): string {
  return new Intl.Locale(locale).language;
}
