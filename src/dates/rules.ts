/** A form of words, and what a text in that form means; nothing where it turns out to be none. */
export type Rule<Meaning> = readonly [
  form: RegExp,
  meaning: (part: (name: string) => string) => Meaning | undefined,
];

/** What the first rule makes of a text that it fits; parts of the form that the text lacks are empty. */
export function byRules<Meaning>(
  text: string,
  rules: readonly Rule<Meaning>[],
): Meaning | undefined {
  for (const [form, meaning] of rules) {
    const found = form.exec(text);
    const meant = found === null ? undefined : meaning((name) => found.groups?.[name] ?? "");
    if (meant !== undefined) return meant;
  }
  return undefined;
}
