import { isStop } from "../../evidence/stop-words.js";
import { isJsonObject, type Json } from "../../json/json.js";
import type { AskedResult } from "./meant-figure.js";
import { clausesOf, contentWords, onlyOf, textOf } from "./result-labels.js";

/** The longest name, and the longest result that is looked through, in characters. */
const maxChars = 60;
const maxContent = 2_000;

/**
 * The name that a result was asked for, where that needs no judgement: it is the only name in the result that its call did
 * not hold, or the only one beside the words of its purpose, or of the step that takes it. Otherwise undefined: a model has
 * to choose. A name from the call itself is never meant. Names are told by their capitals.
 */
export function meantName({
  purpose,
  aim = "",
  args,
  content,
  value,
}: AskedResult): string | undefined {
  if (content.length > maxContent) return undefined;
  const given = textOf(args).toLowerCase();
  const found = namesOf(content, value).filter(({ name }) => !isGiven(name, given));
  const [only, ...others] = new Set(found.map(({ name }) => name));
  if (only === undefined || others.length === 0) return only;
  return onlyOf(found, contentWords(purpose), contentWords(aim))?.name;
}

/** Whether a call held the name, or it is only a longer or shorter form of what it held. */
function isGiven(name: string, given: string): boolean {
  const plain = name.toLowerCase();
  return given.includes(plain) || (given !== "" && plain.includes(given));
}

type LabelledName = { readonly name: string; readonly label: ReadonlySet<string> };

function namesOf(content: string, value: Json | undefined): LabelledName[] {
  if (!isJsonObject(value)) return clausesOf(content).flatMap(namesInClause);
  return Object.entries(value).flatMap(([field, inner]) =>
    typeof inner === "string" && inner.length <= maxChars && /\p{Lu}/u.test(inner)
      ? [{ name: inner, label: contentWords(field) }]
      : [],
  );
}

// Words with a capital in a row; small words may join them: Bank of England.
const capital = String.raw`\p{Lu}[\p{L}\p{N}'’&.-]*(?<![.])`;
const nameForm = new RegExp(
  `${capital}(?: (?:(?:of|de|von|van|du|la|y|und|and) )?${capital})*`,
  "gu",
);

function namesInClause(clause: string): LabelledName[] {
  const text = clause.trim();
  return [...text.matchAll(nameForm)].flatMap(({ 0: found, index }) => {
    const name = index === 0 ? withoutStart(found) : found;
    const label = contentWords(text.replace(found, " "));
    return name === undefined || name.length > maxChars ? [] : [{ name, label }];
  });
}

/** A name at the beginning of a sentence, without an article. One word there may be any word. */
function withoutStart(found: string): string | undefined {
  const words = found.split(" ");
  const own = isStop(words[0]?.toLowerCase() ?? "") ? words.slice(1) : words;
  return own.length > (own === words ? 1 : 0) ? own.join(" ") : undefined;
}
