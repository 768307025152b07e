import { redact, redactField } from "../observe/redact.js";
import type { Service } from "./definition.js";

type Fixed = { readonly path: readonly string[]; readonly name: string; readonly text: string };

/** Where a definition holds a secret itself. Its words are in no message. */
export function heldSecrets({
  url,
  headers = {},
  query = {},
  body = {},
}: Service["request"]): (readonly string[])[] {
  const fixed = [
    { path: ["request", "url"], name: "", text: url },
    ...fixedIn("headers", headers),
    ...fixedIn("query", query),
    ...fixedIn("body", body),
  ];
  return fixed.filter(isSecret).map(({ path }) => path);
}

function fixedIn(place: string, fields: { readonly [name: string]: unknown }): Fixed[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    typeof value === "string" ? [{ path: ["request", place, name], name, text: value }] : [],
  );
}

/** What looks like a secret, and what has the name of one and is no word, as in `x-csrf-token: no-check`. */
function isSecret({ name, text }: Fixed): boolean {
  if (redact(text) !== text) return true;
  return redactField(name, text) !== text && text.length >= 8 && /\d/.test(text);
}
