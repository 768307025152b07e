import type { Json } from "../json/json.js";
import { substituteReferences } from "../plan/references.js";

/** The value at a place in a response (`data.items[0].name`); undefined if there is none. */
export function valueAt(response: Json, path: string): Json | undefined {
  const dot = path.startsWith("[") ? "" : ".";
  const found = substituteReferences(
    { value: `{{response${dot}${path}}}` },
    new Map([["response", response]]),
  );
  return found.ok ? found.args["value"] : undefined;
}

/** Names in a message. */
export function listed(names: readonly string[]): string {
  return names.length === 0 ? "none" : names.join(", ");
}

const maxLength = 64;

/**
 * Makes names for tools and parameters that every provider accepts: 64 ASCII letters, digits, `_` and `-`. One maker
 * never returns the same name twice, ignoring case; `otherwise` replaces a text without such characters.
 */
export function uniqueNames(): (text: string, otherwise: string) => string {
  const taken = new Set<string>();
  return (text, otherwise) => {
    const name = fitName(text, otherwise);
    let unique = name;
    for (let at = 2; taken.has(unique.toLowerCase()); at += 1) {
      const suffix = `_${at}`;
      unique = `${name.slice(0, maxLength - suffix.length)}${suffix}`;
    }
    taken.add(unique.toLowerCase());
    return unique;
  };
}

/** The text as such a name, not yet unique. */
export function fitName(text: string, otherwise: string): string {
  const words = text
    .slice(0, 1_000)
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .split(/[^A-Za-z0-9_-]/)
    .filter((word) => word !== "");
  const name = words.join("_").slice(0, maxLength);
  return name === "" || name === "__proto__" ? otherwise : name;
}
