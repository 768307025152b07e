import { type BaseMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";

import { folded } from "../evidence/fold.js";
import { isRecord } from "../json/json.js";
import { objectSchema } from "../models/provider/output-mode.js";
import type { OutputSchema } from "../models/structured-output.js";

/** The instructions for what to remember of a user. */
const remembererInstructions =
  "You keep what a customer tells about themselves that will matter in later conversations: likes, allergies, sizes, " +
  "their family, where they live. Questions, orders, complaints, passwords and card numbers are not kept.";

/** A change to what is remembered. */
export type FactChange =
  | { readonly op: "keep"; readonly key: string; readonly text: string }
  | { readonly op: "forget"; readonly key: string | undefined };

type Known = { readonly key: string; readonly text: string };

/** The prompt: what is remembered already, and the user's message. */
export function remembererPrompt(known: readonly Known[], message: string): BaseMessage[] {
  const lines = known.map(({ key, text }) => `- ${key}: ${JSON.stringify(text)}`);
  return [
    new SystemMessage(remembererInstructions),
    new HumanMessage(
      [
        lines.length === 0 ? "Nothing is remembered yet." : `Remembered:\n${lines.join("\n")}`,
        `The customer's message: ${JSON.stringify(message)}`,
      ].join("\n"),
    ),
  ];
}

/** Asks for the changes. */
export const remembererTask =
  'Write {"facts": [{"op": "keep", "key": "allergy", "quote": "…"}]}: for each new thing its topic in one word, and the ' +
  "customer's own words for it, copied from the message. A topic that is remembered already keeps its key. Where the " +
  'customer asks to forget something: {"op": "forget", "key": "…", "quote": "…"}, with the key "all" for everything. ' +
  'If the message tells nothing to keep, write {"facts": []}.';

const maxFacts = 5;
const maxQuoteChars = 300;

/** The output schema of the changes. Only what stands in the user's message counts. */
export function factsOutput(
  message: string,
  known: readonly Known[],
): OutputSchema<readonly FactChange[]> {
  const fact = objectSchema({
    op: { type: "string", enum: ["keep", "forget"] },
    key: { type: "string", maxLength: 40 },
    quote: { type: "string", maxLength: maxQuoteChars },
  });
  return {
    name: "facts",
    schema: objectSchema({ facts: { type: "array", items: fact, maxItems: maxFacts } }),
    read: (value) => {
      const list: unknown = isRecord(value) ? value["facts"] : value;
      if (!Array.isArray(list)) return { ok: false, problem: "expected a list of facts" };
      const facts: readonly unknown[] = list.slice(0, maxFacts);
      return { ok: true, value: facts.flatMap((one) => changeIn(one, message, known)) };
    },
  };
}

/** Words with which people ask to forget something. */
const asksToForget =
  /忘|删|别记|不要记|不用记|清除|\b(?:forget|delete|remove|erase|don't remember|do not remember)\b/iu;

/** Words with which people tell about themselves. */
const tellsOfSelf =
  /我|咱|本人|俺|记住|记得|\b(?:i|i'm|i've|my|mine|me|we|our|us|remember|call me)\b/iu;

/** Whether a message may tell something to keep, or asks to forget something. */
export function mayTellFacts(message: string): boolean {
  return tellsOfSelf.test(message) || asksToForget.test(message);
}

function changeIn(value: unknown, message: string, known: readonly Known[]): readonly FactChange[] {
  const { op, key: named, quote } = isRecord(value) ? value : {};
  if (typeof named !== "string" || typeof quote !== "string") return [];
  const key = keyOf(named);
  if (op === "forget") return forgotten(key, message, known);
  const isKept = op === "keep" && key !== "" && key !== everything && isTold(quote, message);
  return isKept ? [{ op: "keep", key, text: quote.trim().slice(0, maxQuoteChars) }] : [];
}

/** What is forgotten: only what the user's own words ask for. */
function forgotten(key: string, message: string, known: readonly Known[]): readonly FactChange[] {
  if (!asksToForget.test(message)) return [];
  if (key === everything) return [{ op: "forget", key: undefined }];
  return known.some((fact) => fact.key === key) ? [{ op: "forget", key }] : [];
}

/** The key with which everything is forgotten. */
const everything = "all";

/** Whether a quote stands in the user's message, and is no secret. */
function isTold(quote: string, message: string): boolean {
  const words = folded(quote);
  return Array.from(words).length >= 2 && folded(message).includes(words) && !isSecret(quote);
}

function keyOf(named: string): string {
  return named
    .normalize("NFKC")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .join("_")
    .slice(0, 40);
}

/** Card numbers, keys and passwords are nobody's to remember. */
function isSecret(text: string): boolean {
  const digits = text.replaceAll(/[\s-]/g, "");
  return /\d{12,}/.test(digits) || /密码|口令|password|passcode|\bpin\b|secret|token/iu.test(text);
}
