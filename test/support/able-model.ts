import { isRecord } from "../../src/json/json.js";
import type { ChatRequest, ServerAnswer } from "../../src/testing/index.js";
import { contentText } from "./content-text.js";

/** What a model knows to do: the tool calls of its first turn, then its answer, and that answer as an object. */
export type Ability = {
  readonly calls: readonly { readonly name: string; readonly args: Record<string, unknown> }[];
  readonly answer: string;
  readonly object: Record<string, unknown>;
};

/**
 * A model that does the same however it is asked: with native tool calls or with actions in JSON, with
 * or without a system message, for an object by schema, forced tool, JSON mode or prompt.
 */
export function ableModel({ calls, answer, object }: Ability) {
  return (request: ChatRequest): ServerAnswer => {
    const texts = request.messages.map(({ role, content }) => ({
      role,
      text: contentText(content),
    }));
    if (isRecord(request.tool_choice)) return { toolCalls: [{ name: "response", args: object }] };
    const last = texts.at(-1)?.text ?? "";
    if (/in the form above/.test(last)) return JSON.stringify(object);
    const asked = texts.findLastIndex(({ role, text }) => role === "user" && !isSent(text));
    const since = texts.slice(asked + 1);
    if (!texts.some(({ text }) => text.includes("exactly one JSON object"))) {
      const isDone =
        since.some(({ role }) => role === "tool") || (request.tools ?? []).length === 0;
      return isDone ? answer : { toolCalls: calls };
    }
    const next = calls[since.filter(({ text }) => isSent(text)).length];
    return next === undefined ? action("final_answer", answer) : action(next.name, next.args);
  };
}

function action(name: string, input: unknown): string {
  return JSON.stringify({ thought: "Next.", action: name, action_input: input });
}

/** Whether a user message is none of the user's: a result of the JSON protocol. */
function isSent(text: string): boolean {
  return text.startsWith("Observation: ") || text.startsWith("Stop here: ");
}
