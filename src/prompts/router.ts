import { AIMessage, type BaseMessage, isAIMessage, SystemMessage } from "@langchain/core/messages";

/** What a router is told when the caller says nothing else. */
export const defaultRouterInstructions =
  "You decide which expert a question goes to; you do not answer it yourself. Go by what has to be done " +
  "to answer the last question, not by single words in it.";

/** A route as a router's model reads of it. */
export type DescribedRoute = { readonly name: string; readonly description: string };

/** The conversation as the router's model reads it, without the work behind its answers, and the routes. */
export function routerPrompt(
  messages: readonly BaseMessage[],
  instructions: string,
  routes: readonly DescribedRoute[],
): BaseMessage[] {
  const given = messages.filter(({ type }) => type === "system").map(({ text }) => text);
  const parts = [
    instructions,
    ...given,
    `The experts:\n${routeLines(routes)}\n- unclear: ${unclearLine}`,
  ];
  return [new SystemMessage(parts.join("\n\n")), ...messages.flatMap(said)];
}

function routeLines(routes: readonly DescribedRoute[]): string {
  const lines = routes.map(
    ({ name, description }) => `- ${name}: ${description.trim().replaceAll(/\s+/g, " ")}`,
  );
  return lines.join("\n");
}

const unclearLine =
  "the question fits none of these, or does not say what it is about. Not for a question that is only hard.";

/** What was said to a person or by one. */
function said(message: BaseMessage): BaseMessage[] {
  if (message.type === "human") return [message];
  if (!isAIMessage(message) || message.text.trim() === "") return [];
  return (message.tool_calls ?? []).length === 0 ? [new AIMessage(message.text)] : [];
}

/** What the router's reply is to hold, for the request that asks for it. */
export function routeTask(mayAsk: boolean): string {
  const task =
    'Decide which expert the last question goes to, as {"route": "…", "reason": "…"}; the reason is one short sentence.';
  return mayAsk
    ? `${task} Only where the route is "unclear", add "question": one short question to the user that settles it.`
    : task;
}

/** What the user is asked where the model names no question of its own. */
export function clarifyingQuestion(routes: readonly DescribedRoute[]): string {
  return `What is your question about?\n${routeLines(routes)}`;
}

/** Why a run was handed to a person: the user did not say what the question is about. */
export function stayedUnclear(asked: number, why: string): string {
  const times = asked === 1 ? "one question" : `${asked} questions`;
  return `It stayed unclear what the question is about, after ${times} to the user: ${why}`;
}
