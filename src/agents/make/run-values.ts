import { fillTemplate, readTemplate } from "../../cards/template.js";
import { isRecord, type Json, jsonCopy, mapTexts, jsonText } from "../../json/json.js";
import {
  type Reference,
  referencesIn,
  replaceReferences,
  unreadableReferencesIn,
  wholeReference,
} from "../../plan/step.js";
import { hintAt } from "../../run/check-names.js";

/** The values that texts of a file may name in double braces, such as the run's `context`. */
export type RunValues = { readonly [name: string]: unknown };

/**
 * A value with those of the run in place of its references: one that is exactly a reference keeps its type. `nothing`
 * where there is none to name: an item after the end of a list, null.
 */
export type FilledValue =
  | { readonly kind: "filled"; readonly value: Json }
  | { readonly kind: "nothing" }
  | { readonly kind: "missing"; readonly problem: string };

/** What stands at a reference. */
function look({ text, id, path }: Reference, values: RunValues): FilledValue {
  let at: unknown = values[id];
  for (const part of path) {
    if (at === null || (Array.isArray(at) && Number(part) >= at.length)) return { kind: "nothing" };
    at = partOf(at, part);
  }
  if (at === null) return { kind: "nothing" };
  const value = jsonCopy(at);
  return value === undefined
    ? { kind: "missing", problem: `${text}: the run has no such value` }
    : { kind: "filled", value };
}

function partOf(value: unknown, part: string | number): unknown {
  if (Array.isArray(value)) return typeof part === "number" ? value[part] : undefined;
  return isRecord(value) && Object.hasOwn(value, part) ? value[part] : undefined;
}

/** Fills a value of a file. The first reference without a value says what becomes of it. */
export function fillValue(value: Json, values: RunValues): FilledValue {
  const found = new Map(referencesIn(value).map((each) => [each.text, look(each, values)]));
  const absent = [...found.values()].find(({ kind }) => kind !== "filled");
  if (absent !== undefined) return absent;
  const at = ({ text }: Reference): Json => {
    const one = found.get(text);
    return one?.kind === "filled" ? one.value : null;
  };
  const filled = mapTexts(value, (text) => {
    const only = wholeReference(text);
    return only === undefined ? replaceReferences(text, (each) => jsonText(at(each))) : at(only);
  });
  return { kind: "filled", value: filled };
}

/**
 * Fills a text for models: a part without any of its values is left out with its comma or brackets, as in cards. Where
 * none of its references has a value, the first one says what becomes of it.
 */
export function fillText(text: string, values: RunValues): FilledValue {
  const found = referencesIn(text).map((each) => [each.text, look(each, values)] as const);
  const known = found.filter(([, { kind }]) => kind === "filled");
  const [first] = found;
  if (first !== undefined && known.length === 0) return first[1];
  const names = new Map(found.map(([reference], at) => [reference, `v${at}`]));
  const template = replaceReferences(text, (each) => `{{${names.get(each.text)}}}`);
  const byName = known.map(([reference, one]) => [
    names.get(reference) ?? "",
    one.kind === "filled" ? one.value : null,
  ]);
  const filled = fillTemplate(readTemplate(template), Object.fromEntries(byName));
  return { kind: "filled", value: filled };
}

/** What is wrong with the references in a text of a file, given the names that it may use. */
export function referenceProblems(value: Json, names: readonly string[]): string[] {
  const unreadable = unreadableReferencesIn(value).map(
    (text) => `expected a reference such as {{${names[0] ?? "name"}.name}}, got ${text}`,
  );
  const unknown = referencesIn(value).filter(({ id }) => !names.includes(id));
  return [
    ...unreadable,
    ...unknown.map(
      ({ text, id }) =>
        `${text}: there is no ${id}.${hintAt(id, names)} There is ${names.join(", ")}.`,
    ),
  ];
}
