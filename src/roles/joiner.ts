import { isRecord } from "../json/json.js";
import { objectSchema } from "../models/provider/output-mode.js";
import { type JsonOutputSchema, type Validated, valueText } from "../models/structured-output.js";
import type { ToolStep } from "../plan/step.js";
import { alsoAsked } from "../prompts/also-asked.js";
import { lastResult, planReport } from "../prompts/plan-report.js";
import type { Observation } from "../state/observation.js";

/** The default instructions of a joiner. */
export const defaultJoinerInstructions =
  "You judge whether the results of a plan answer the user's question, and answer it if they do. You " +
  "know no figures, names or dates yourself.";

/** The content of the joiner's reply, for the request. */
export const joinTask =
  'Write {"action": "finish", "answer": "…"} to give the answer, or ' +
  '{"action": "replan", "feedback": "…"} to have other steps planned.';

/** Asks to finish with an answer or to plan again; `unplanned` says why the rest of the plan is missing. */
export function joinerPrompt(
  objective: string,
  steps: readonly ToolStep[],
  observations: readonly Observation[],
  unplanned?: string,
): string {
  return [
    planReport(steps, observations),
    ...(unplanned === undefined
      ? []
      : [`The plan is not complete, its rest did not come: ${unplanned}\nSay what is missing.`]),
    `The question: ${objective}`,
    `${lastResult(steps, observations)}If the results hold the answer, finish with it: the last result is ` +
      "usually the answer. Answer in one or two sentences, with the figures and units of the results and " +
      "nothing else. If a step failed or something is missing that a tool can still find, replan, and say " +
      `what is missing.${alsoAsked(objective, observations)}`,
  ].join("\n\n");
}

/** The joiner's decision: the answer, or what another plan has to find. */
export type Joined =
  | { readonly action: "finish"; readonly answer: string }
  | { readonly action: "replan"; readonly feedback: string };

/**
 * The output schema of a joiner's decision. The text of the LLMCompiler paper, `Finish(…)` and `Replan(…)`, is read,
 * too.
 */
export const joinOutput: JsonOutputSchema<Joined> = {
  name: "join",
  schema: objectSchema(
    {
      action: { enum: ["finish", "replan"] },
      answer: { type: "string" },
      feedback: { type: "string" },
    },
    ["action"],
  ),
  answer: { field: "answer", when: { field: "action", is: "finish" } },
  read: readJoin,
  readText: (text, isCut) => (isCut ? { ok: false, problem: wanted } : readJoinText(text)),
};

const wanted = 'expected {"action": "finish", "answer"} or {"action": "replan", "feedback"}';

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

/** The text in the brackets of a call: up to the last bracket, because an answer may have brackets. */
function insideCall(rest: string): string {
  const end = Math.max(rest.lastIndexOf(")"), rest.lastIndexOf("）"));
  return end < 0 ? rest : rest.slice(0, end);
}

function withoutQuotes(text: string): string {
  return /^(["'])([\s\S]*)\1$/.exec(text)?.[2] ?? text;
}
