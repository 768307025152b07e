import { isRecord } from "../json/json.js";
import type { JsonForm, Validated } from "./fitting.js";
import { valueText } from "./value-text.js";

/** What a joiner decides: the answer, or what another plan has to bring. */
export type Joined =
  | { readonly action: "finish"; readonly answer: string }
  | { readonly action: "replan"; readonly feedback: string };

/** The form of a joiner's decision. The text of the LLMCompiler paper, `Finish(…)` and `Replan(…)`, is read too. */
export const joinForm: JsonForm<Joined> = {
  name: "join",
  schema: {
    type: "object",
    properties: {
      thought: { type: "string", maxLength: 300 },
      action: { enum: ["finish", "replan"] },
      answer: { type: "string" },
      feedback: { type: "string" },
    },
    required: ["thought", "action"],
    additionalProperties: false,
  },
  read: readJoin,
  readText: (text, isCut) => (isCut ? { ok: false, problem: wanted } : readJoinText(text)),
};

const wanted =
  'expected {"thought", "action": "finish", "answer"} or {"thought", "action": "replan", "feedback"}';

function readJoin(value: unknown): Validated<Joined> {
  if (!isRecord(value)) return { ok: false, problem: `${wanted}, got ${JSON.stringify(value)}` };
  const { action, answer, feedback, thought } = value;
  const named = typeof action === "string" ? action.trim().toLowerCase() : undefined;
  if (named === "finish") {
    const text = valueText(answer);
    return text === ""
      ? { ok: false, problem: `${wanted}, got no answer` }
      : { ok: true, value: { action: "finish", answer: text } };
  }
  if (named !== "replan") {
    return { ok: false, problem: `${wanted}, got the action ${JSON.stringify(action) ?? "none"}` };
  }
  return {
    ok: true,
    value: { action: "replan", feedback: valueText(feedback) || valueText(thought) },
  };
}

const called = /\b(finish|replan)\s*[(（]([\s\S]*)$/i;
const told =
  /^[ \t]*(?:action\s*:\s*)?(finish|replan)\b(?:[ \t]*:)?(?:\s*(?:answer|feedback)\s*:)?([\s\S]*)/im;

/** The paper's text; prose without a decision is the answer. */
function readJoinText(text: string): Validated<Joined> {
  const call = called.exec(text);
  const [, action, rest = ""] = call ?? told.exec(text) ?? [];
  if (action !== undefined) {
    const said = withoutQuotes((call === null ? rest : insideCall(rest)).trim());
    return readJoin({ action, answer: said, feedback: said });
  }
  if (text.includes("{") || text.trim() === "") return { ok: false, problem: wanted };
  return { ok: true, value: { action: "finish", answer: text.trim() } };
}

/** What stands in the brackets of a call: up to the last one, since an answer may have some of its own. */
function insideCall(rest: string): string {
  const end = Math.max(rest.lastIndexOf(")"), rest.lastIndexOf("）"));
  return end < 0 ? rest : rest.slice(0, end);
}

function withoutQuotes(text: string): string {
  return /^(["'])([\s\S]*)\1$/.exec(text)?.[2] ?? text;
}
