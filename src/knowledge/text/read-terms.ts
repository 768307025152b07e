import { readFile } from "node:fs/promises";

import { z } from "zod";

import { optionalPackage, PlangraphError } from "../../errors.js";
import type { Json } from "../../json/json.js";
import { errorLine } from "../../observe/redact.js";
import { issueLines } from "../../run/errors.js";
import { termEntries, type Terms, type TermsInput, termsOf } from "./terms.js";

const Words = z.array(z.string());
const TermsFile = z.strictObject({
  synonyms: z
    .record(
      z.string(),
      Words.nullable().transform((words) => words ?? []),
    )
    .nullish(),
  protected: Words.nullish(),
  stop: Words.nullish(),
});

/** Opens terms that were given in code, or as a file of YAML or JSON. Throws `unreadable_file` and `invalid_knowledge`. */
export async function openTerms(given: TermsInput | string | undefined): Promise<Terms> {
  if (typeof given === "string") return termsIn(given);
  const terms = checked(given ?? {}, "The terms");
  return termsOf(
    termEntries(terms, (path) => path.join(".")),
    terms,
  );
}

/** The terms that a base keeps; none of a base that has kept none. */
export async function keptTerms(fact: Json | undefined): Promise<Terms> {
  return openTerms(checked(fact ?? {}, "The terms of the base"));
}

async function termsIn(file: string): Promise<Terms> {
  const text = await textOf(file);
  const { LineCounter, isNode, parseDocument } = await optionalPackage(
    () => import("yaml"),
    `${file}: a file of terms needs the package "yaml": npm install yaml.`,
  );
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [error] = document.errors;
  if (error !== undefined) throw unfit(`${file}: ${error.message}`);
  const terms = checked(document.toJS({ maxAliasCount: 0 }) ?? {}, file);
  const entries = termEntries(terms, (path) => {
    const node = document.getIn(path, true);
    const at = isNode(node) ? (node.range?.[0] ?? 0) : 0;
    return `${file}:${lines.linePos(at).line}`;
  });
  return termsOf(entries, terms);
}

function checked(given: unknown, where: string): TermsInput {
  const parsed = TermsFile.safeParse(given);
  if (!parsed.success) {
    throw unfit(`${where}: ${issueLines(parsed.error.issues).join("; ")}. Expected ${forms}.`);
  }
  const { synonyms, protected: names, stop } = parsed.data;
  return { synonyms: synonyms ?? {}, protected: names ?? [], stop: stop ?? [] };
}

const forms =
  '"synonyms" (present name: [other names]), "protected" ([names]) and "stop" ([words])';

function unfit(message: string): PlangraphError {
  return new PlangraphError("invalid_knowledge", message);
}

async function textOf(file: string): Promise<string> {
  try {
    return (await readFile(file, "utf8")).replace(/^\uFEFF/, "");
  } catch (error) {
    const message = `The terms ${file}: ${errorLine(error)}`;
    throw new PlangraphError("unreadable_file", message, { cause: error });
  }
}
