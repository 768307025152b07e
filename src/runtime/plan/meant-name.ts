import { isStop } from "../../evidence/stop-words.js";
import { isJsonObject, type Json } from "../../json/json.js";
import type { AskedResult } from "./meant-figure.js";
import { clausesOf, contentWords, onlyOf, textOf, wordsBeside } from "./result-labels.js";

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
  const found = otherNames({ args, content, value });
  const [only, ...others] = new Set(found.map(({ name }) => name));
  if (only === undefined || others.length === 0) return only;
  // What is asked about says nothing of which of its names: "Belwin Mills has its seat in Millrow."
  const subject = contentWords(textOf(args));
  const about = (text: string) => wordsBeside(subject, text);
  return onlyOf(found, about(purpose), about(aim))?.name;
}

/** The names in a result that its call did not hold, each once; none in one that is too long to look through. */
export function resultNames(asked: Pick<AskedResult, "args" | "content" | "value">): string[] {
  return [...new Set(otherNames(asked).map(({ name }) => name))];
}

function otherNames({
  args,
  content,
  value,
}: Pick<AskedResult, "args" | "content" | "value">): readonly LabelledName[] {
  if (content.length > maxContent) return [];
  const given = textOf(args).toLowerCase();
  return namesOf(content, value).filter(({ name }) => !isGiven(name, given));
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

/** Small words inside names: Bank of England. */
const joining: ReadonlySet<string> = new Set("of de von van du la y und and".split(" "));

/** What no name goes over. */
const borders = /[=:"“”«»()[\]{}]/u;

/** The names of a clause: words with a capital in a row. */
function namesInClause(clause: string): LabelledName[] {
  const text = clause.trim();
  return text.split(borders).flatMap((part, at) =>
    rowsIn(part.trim().split(/\s/u).map(withoutStop)).flatMap(({ words, start }) => {
      const own = at === 0 && start === 0 ? withoutStart(words) : words;
      const name = own.join(" ");
      if (name === "" || name.length > maxChars) return [];
      return [{ name, label: contentWords(text.replace(name, " ")) }];
    }),
  );
}

type Row = { readonly words: readonly string[]; readonly start: number };

/** Words with a capital in a row, which small words may join, and where each row starts. */
function rowsIn(words: readonly string[]): Row[] {
  const rows: { words: string[]; start: number }[] = [];
  let open: { words: string[]; start: number } | undefined;
  for (const [at, word] of words.entries()) {
    const joins = open !== undefined && joining.has(word) && hasCapital(words[at + 1]);
    if (!hasCapital(word) && !joins) open = undefined;
    else if (open === undefined) {
      open = { words: [word], start: at };
      rows.push(open);
    } else open.words.push(word);
  }
  return rows;
}

function hasCapital(word = ""): boolean {
  return /^\p{Lu}/u.test(word);
}

function withoutStop(word: string): string {
  return word.endsWith(".") ? word.slice(0, -1) : word;
}

/** A name at the beginning of a sentence, without an article. One word there may be any word. */
function withoutStart(words: readonly string[]): readonly string[] {
  const [first = "", ...rest] = words;
  if (isStop(first.toLowerCase())) return rest;
  return rest.length === 0 ? [] : words;
}
