import { AIMessage, type BaseMessage, isAIMessage, SystemMessage } from "@langchain/core/messages";

import { isRecord } from "../json/json.js";
import { objectSchema } from "../models/provider/output-mode.js";
import {
  doubtedOnce,
  type JsonOutputSchema,
  type ReplyOutputSchema,
  type Validated,
} from "../models/structured-output.js";

/** The default instructions of a router. */
export const defaultRouterInstructions =
  "You decide which expert answers the user; you do not answer yourself. Nearly every question fits one: " +
  "take the expert that comes nearest, by what has to be done to answer, not by single words.";

/** A route in the router's prompt. */
export type DescribedRoute = { readonly name: string; readonly description: string };

/** The router's prompt: the conversation without the work behind its answers, and the routes. */
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
  return [new SystemMessage(parts.join("\n\n")), ...messages.flatMap(spoken)];
}

function routeLines(routes: readonly DescribedRoute[]): string {
  const lines = routes.map(
    ({ name, description }) => `- ${name}: ${description.trim().replaceAll(/\s+/g, " ")}`,
  );
  return lines.join("\n");
}

// A small model calls a question unclear that is only hard, or lacks a figure.
const unclearLine =
  "only where the user names no topic at all, or one that is far from all of these. Never for a question that could be worked on.";

/** Messages to and from a person. */
function spoken(message: BaseMessage): BaseMessage[] {
  if (message.type === "human") return [message];
  if (!isAIMessage(message) || message.text.trim() === "") return [];
  return (message.tool_calls ?? []).length === 0 ? [new AIMessage(message.text)] : [];
}

/** The longest part of the last message that is repeated. */
const maxChars = 500;

/** Asks for the route. The last message is repeated, because a small model takes this request for the question. */
export function routeTask(message: string): string {
  const quoted = message.length > maxChars ? `${message.slice(0, maxChars)}…` : message;
  return `The user's last message: ${JSON.stringify(quoted)}\nWhich expert answers it? Write {"reason": "…", "route": "…"}; the reason is one short sentence.`;
}

/** The question to the user when the model names none. */
export function clarifyingQuestion(routes: readonly DescribedRoute[]): string {
  return `What is your question about?\n${routeLines(routes)}`;
}

/** The reason of a handoff: the user did not clarify the question. */
export function stayedUnclear(asked: number, why: string): string {
  const times = asked === 1 ? "one question" : `${asked} questions`;
  const because = why === "" ? "." : `: ${why}`;
  return `It stayed unclear what the question is about, after ${times} to the user${because}`;
}

/** The router's decision: a route, or that the question is unclear. */
type ChosenRoute = {
  /** A route's name; absent when unclear. */
  readonly route: string | undefined;
  readonly reason: string;
  /** The question to the user when unclear; empty when the model names none. */
  readonly question: string;
};

/** The value instead of a route's name when none fits. */
export const unclearRoute = "unclear";

/**
 * The output schema of a router's decision between `names`. Prose that names exactly one of them is read, too. Where the user
 * may be asked, "unclear" without a question to the user goes back for one, and stands where neither that nor a route comes: a small model
 * calls unclear what it does not know, and every question where it is told to ask one.
 */
export function routeOutput(
  names: readonly string[],
  mayAsk: boolean,
): ReplyOutputSchema<ChosenRoute> {
  const choices = [...names, unclearRoute];
  // A small model chooses better after it has given the reason.
  const wanted = { reason: { type: "string", maxLength: 200 }, route: { enum: choices } };
  const asking = mayAsk ? { question: { type: "string", maxLength: 300 } } : {};
  const output: JsonOutputSchema<ChosenRoute> = {
    name: "route",
    schema: objectSchema({ ...wanted, ...asking }, ["reason", "route"]),
    // A model that is told of a question asks one.
    form: `{"reason": string, "route": ${choices.map((name) => JSON.stringify(name)).join(" | ")}}`,
    read: (value) => readRoute(value, choices),
    // Other fields of an object with an unknown route are no choice.
    readText: (text) => (text.includes("{") ? wrong(choices, text) : readName(text, choices, {})),
  };
  return doubtedOnce(output, (chosen) =>
    mayAsk && !isSettled(chosen) ? reallyUnclear(names) : undefined,
  );
}

/** A route, or the question to the user that will find it. */
function isSettled({ route, question }: ChosenRoute): boolean {
  return route !== undefined || question !== "";
}

function reallyUnclear(names: readonly string[]): string {
  return (
    `"${unclearRoute}" is only for a message without a topic; what is missing in it, an expert looks up. Take the nearest of ${inQuotes(names)}. ` +
    `Only if it names no topic at all, write "${unclearRoute}" again, with "question": one short question to the user that settles it`
  );
}

function inQuotes(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}

function readRoute(value: unknown, choices: readonly string[]): Validated<ChosenRoute> {
  if (typeof value === "string") return readName(value, choices, {});
  if (!isRecord(value)) return wrong(choices, value);
  const { route, ...said } = value;
  return typeof route === "string" ? readName(route, choices, said) : wrong(choices, route);
}

function readName(
  text: string,
  choices: readonly string[],
  { reason, question }: { readonly reason?: unknown; readonly question?: unknown },
): Validated<ChosenRoute> {
  const [name, ...others] = namesIn(text, choices);
  if (name === undefined || others.length > 0) return wrong(choices, text);
  const route = name === unclearRoute ? undefined : name;
  return { ok: true, value: { route, reason: textOf(reason), question: textOf(question) } };
}

/** The names that a text contains as whole words, each once. Of a name inside a longer one only the longer one counts. */
function namesIn(text: string, choices: readonly string[]): string[] {
  const longestFirst = choices.toSorted((left, right) => right.length - left.length);
  const names = longestFirst.map((name) => name.replaceAll(/[.-]/g, String.raw`\$&`)).join("|");
  const found = text.match(new RegExp(String.raw`(?<![\w-])(?:${names})(?![\w-])`, "gi")) ?? [];
  const lower = new Set(found.map((name) => name.toLowerCase()));
  return choices.filter((name) => lower.has(name.toLowerCase()));
}

function wrong(choices: readonly string[], got: unknown): Validated<ChosenRoute> {
  const told = JSON.stringify(got)?.slice(0, 200) ?? "nothing";
  return { ok: false, problem: `expected one of ${inQuotes(choices)} as the route, got ${told}` };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}
