import { pathPattern } from "./reference.js";

/** How a text form of the papers writes references: `#E1` (ReWOO), `$1` or `${1}` (LLMCompiler). */
export type Dialect = "rewoo" | "compiler";

// What follows tells a reference from a tag (#E1ton), a longer number and a price with cents ($1.50).
const forms: { readonly [form in Dialect]: RegExp } = {
  rewoo: new RegExp(String.raw`(?<![\w#＃])[#＃]\s?E(\d{1,9})(?![\w#])(${pathPattern})`, "gu"),
  compiler: new RegExp(
    String.raw`(?<![\w$\\])\$(?:\{(\d{1,9})\}|(\d{1,9})(?![\w$]|\.\d))(${pathPattern})`,
    "gu",
  ),
};

/**
 * The text with the dialect's references in the canonical form, `{{E1}}` or `{{E1[0]}}`. Only what
 * names one of the `earlier` steps is a reference: "$100" and "#E10" without such steps stay text, and
 * "$1" is a price before there is a step 1 and a reference afterwards.
 */
export function canonicalReferences(
  text: string,
  dialect: Dialect,
  earlier: ReadonlySet<string>,
): string {
  return text.replaceAll(forms[dialect], (whole: string, ...groups: (string | undefined)[]) => {
    const [braced, plain] = dialect === "rewoo" ? [groups[0]] : groups;
    const path = dialect === "rewoo" ? groups[1] : groups[2];
    const id = `E${Number(braced ?? plain)}`;
    return earlier.has(id) ? `{{${id}${path ?? ""}}}` : whole;
  });
}

/** The same in JSON-like text: a reference outside quotation marks becomes a string of its own. */
export function quotedReferences(
  text: string,
  dialect: Dialect,
  earlier: ReadonlySet<string>,
): string {
  const rewritten = quotedParts(text).map(({ part, isQuoted }) => {
    const normal = canonicalReferences(part, dialect, earlier);
    return isQuoted ? normal : normal.replaceAll(/\{\{[^{}]*\}\}/g, (found) => `"${found}"`);
  });
  return rewritten.join("");
}

type Part = { readonly part: string; readonly isQuoted: boolean };

/** A text in its parts inside and outside quotation marks. */
function quotedParts(text: string): Part[] {
  const parts: Part[] = [];
  let from = 0;
  let closer = "";
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (closer !== "" && char === "\\") {
      at += 1;
    } else if (closer === "" ? `"'`.includes(char) : char === closer) {
      const to = closer === "" ? at : at + 1;
      parts.push({ part: text.slice(from, to), isQuoted: closer !== "" });
      closer = closer === "" ? char : "";
      from = to;
    }
  }
  return [...parts, { part: text.slice(from), isQuoted: closer !== "" }];
}
