import { type BaseMessage, SystemMessage } from "@langchain/core/messages";

import { maxAskedChars } from "../plan/asked-figures.js";
import { expressionOf } from "../plan/asked-ratio.js";
import { alsoAsked } from "../prompts/also-asked.js";
import { withEarlierResults } from "../prompts/earlier-results.js";
import { withoutSteps } from "../prompts/shown-steps.js";
import type { Observation } from "../state/observation.js";
import type { HandOffCause } from "../state/outcome.js";

/** The default instructions of an agent with tools. */
export const defaultAgentInstructions =
  "You answer the user's question with tools. You do not know figures, names or dates yourself: before you " +
  "answer, call a tool for every fact that you need. Calls that do not need one another's results can be made " +
  "together. Use what the tools returned, and repeat no call. When the results contain what you need, answer in " +
  "plain text. Say so when something could not be found out.";

/** The same without tools: small models call tools that they read about. */
const plainInstructions =
  "You answer the user's question in plain text. Say so when you do not know something.";

/** Small models hand off too readily: one sentence, only about what is beyond every tool. */
const handOffRule =
  "What neither a tool nor a result covers is not to be made up: hand it off with hand_off.";

/** The default instructions for these tools; `hand_off` is mentioned where a person can take over. */
export function agentInstructions(
  tools: readonly unknown[],
  handOffOn: readonly HandOffCause[] = [],
): string {
  if (tools.length === 0) return plainInstructions;
  return handOffOn.includes("no_tool")
    ? `${defaultAgentInstructions} ${handOffRule}`
    : defaultAgentInstructions;
}

/** The agent's prompt: a system message with instructions and date, examples, the conversation, and results of earlier plans. */
export function agentPrompt(
  messages: readonly BaseMessage[],
  instructions: string,
  date: string,
  examples: readonly BaseMessage[] = [],
): BaseMessage[] {
  const said = withoutSteps(messages);
  const given = said.filter(({ type }) => type === "system").map(({ text }) => text);
  const rest = given.length === 0 ? said : said.filter(({ type }) => type !== "system");
  const system = new SystemMessage(
    [instructions, ...given, date].filter((text) => text !== "").join("\n\n"),
  );
  return [system, ...examples, ...withEarlierResults(rest)];
}

/** Asks a model that repeats itself for another call or for its answer; `tried` are the calls with results. */
export function anotherWayPrompt(tried: readonly string[]): string {
  const known =
    tried.length === 0 ? "" : ` These calls were made, with these results:\n${tried.join("\n")}\n`;
  return (
    `You are going round in circles.${known} Do not repeat a call. If the results answer the question, ` +
    "give your answer now; if not, make a call that was not made yet."
  );
}

/**
 * Asks a model for one more call before its answer; `told` is what is still open. With the question: what a small model
 * read some calls ago it calculates with the first figures that it finds.
 */
export function openPointPrompt(told: string, question: string): string {
  return `${asked(question)}${told} Make the next tool call.`;
}

/**
 * Asks for the result where nothing seems open: a small model else calculates with figures that nobody asked about. With what was
 * found last: else it says the figure of an earlier result, or makes one up.
 */
export function toldPrompt(question: string, found?: string): string {
  const last = found === undefined ? "" : `The last one says: ${found}\n`;
  return `${asked(question)}The results seem to tell what is asked. ${last}If so, say it in one sentence, with figures and units, and call no tool.`;
}

/** Asks for the answer after a comparison or a calculation that takes the place of the one before it. */
export function madeAnewPrompt(call: Observation, question: string): string {
  const expression = expressionOf(call.args);
  const what =
    expression === ""
      ? `comparison tells what is asked: ${call.content}`
      : `calculation tells what is asked: ${expression} = ${call.content}`;
  const also = alsoAsked(question, [call]);
  return `${asked(question)}The last ${what}\nAnswer with that in a whole sentence, with its figures, and call no tool.${also}`;
}

function asked(question: string): string {
  return question.length > maxAskedChars ? "" : `The question is: ${question}\n`;
}
