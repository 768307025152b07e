import { isRecord, type Json } from "../json/json.js";

/** A reference to the result of a step, as it stands in a text. */
export type Reference = {
  /** As written, braces included. */
  readonly text: string;
  readonly id: string;
  /** The fields and places that lead from the result to what is meant. */
  readonly path: readonly (string | number)[];
};

const name = String.raw`[\p{L}_][\p{L}\p{N}_-]*`;

/** What may follow the id: `.items`, `[0]`, `["quoted key"]`. */
export const pathPattern = String.raw`(?:\.${name}|\[\d{1,9}\]|\["(?:[^"\\\n]|\\.)*"\]|\['[^'\n]*'\])*`;

const canonical = new RegExp(String.raw`\{\{\s*(${name})(${pathPattern})\s*\}\}`, "gu");
const whole = new RegExp(`^${canonical.source}$`, "u");
const braced = /\{\{([^{}]*)\}\}/g;

/** The reference that a text is, if it is exactly one. */
export function wholeReference(text: string): Reference | undefined {
  const match = whole.exec(text);
  return match === null ? undefined : asReference(match);
}

/** The text with every reference replaced by what `replace` gives; what it gives is not read again. */
export function replaceReferences(text: string, replace: (found: Reference) => string): string {
  return text.replaceAll(canonical, (...match: string[]) => replace(asReference(match)));
}

/** All references in arguments, in nested objects and lists too, in order and as often as they stand there. */
export function referencesIn(args: Json): Reference[] {
  return textsIn(args).flatMap((text) =>
    [...text.matchAll(canonical)].map((match) => asReference(match)),
  );
}

/** What stands between double braces in arguments and is no reference: `{{today() - 7}}`. */
export function unreadableReferencesIn(args: Json): string[] {
  return textsIn(args)
    .flatMap((text) => text.match(braced) ?? [])
    .filter((text) => wholeReference(text) === undefined);
}

/** A reference as it is written in a plan. */
export function printReference({ id, path }: Omit<Reference, "text">): string {
  return `{{${id}${printPath(path)}}}`;
}

/** A path as it is written after an id. */
export function printPath(path: Reference["path"]): string {
  const plain = new RegExp(`^${name}$`, "u");
  const parts = path.map((part) =>
    typeof part === "string" && plain.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`,
  );
  return parts.join("");
}

function textsIn(value: Json): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap((each: Json) => textsIn(each));
  return isRecord(value) ? Object.values(value).flatMap((each) => textsIn(each)) : [];
}

function asReference([text = "", id = "", path = ""]: readonly string[]): Reference {
  const parts = path.matchAll(/\.([^.[]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|\['([^']*)'\]/g);
  return { text, id, path: [...parts].map((part) => pathPart(part)) };
}

function pathPart([, field, place, quoted, single]: RegExpExecArray): string | number {
  if (place !== undefined) return Number(place);
  return field ?? single ?? unquoted(quoted ?? '""');
}

function unquoted(text: string): string {
  try {
    const key: unknown = JSON.parse(text);
    return String(key);
  } catch {
    return text.slice(1, -1);
  }
}
