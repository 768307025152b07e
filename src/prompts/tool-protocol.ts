import { isRecord } from "../json/json.js";

/** The action that ends a run of the JSON protocol. */
export const finalAction = "final_answer";

/** Its name if a tool has the usual one. */
export const otherFinalAction = "give_final_answer";

/** The name of the action that ends a run with these tools. */
export function finalActionFor(tools: readonly ToolForm[]): string {
  return tools.some(({ name }) => name === finalAction) ? otherFinalAction : finalAction;
}

/** The beginning of a tool's result in the JSON protocol; a model is stopped before it writes one itself. */
export const observationLabel = "Observation";

/** Instructions for models without tool calling: one JSON object per turn. */
export function jsonInstructions(tools: readonly ToolForm[]): string {
  const calls = tools.map(
    ({ name, description, parameters }) =>
      `${actionLine(name, argumentForm(parameters))}\n  ${description.trim().replaceAll(/\s+/g, " ")}`,
  );
  return [
    "In each turn, reply with exactly one JSON object and nothing else: one tool call, or the final answer.",
    "The tool calls, with types in place of values:",
    ...calls,
    "The final answer, once the observations hold all that it needs:",
    actionLine(finalActionFor(tools), "string"),
    `The user then sends the tool's result, as "${observationLabel}: …". Wait for it; never write it yourself.`,
  ].join("\n");
}

function actionLine(action: string, input: string): string {
  return `{"thought": string, "action": ${JSON.stringify(action)}, "action_input": ${input}}`;
}

/** A turn of the JSON protocol as the model would have written it. */
export function actionText(thought: string, action: string, input: unknown): string {
  return JSON.stringify({ thought, action, action_input: input });
}

/** A tool's result in the JSON protocol. */
export function observationText(result: string): string {
  return `${observationLabel}: ${result}`;
}

/** Follows the newest result: without it a small model continues to call tools, although it has all it needs. */
export const observationReminder =
  "If this answers the question, give the final answer; else make the next tool call.";

/** The requested form, for a reply that was neither an action nor a final answer. */
export function wantedAction(tools: readonly ToolForm[], mustCall: boolean): string {
  const calls = tools.map(({ name }) => name);
  const names = mustCall ? calls : [...calls, finalActionFor(tools)];
  return `reply with one JSON object in the form {"thought": string, "action": ${names.map((name) => JSON.stringify(name)).join(" | ")}, "action_input": …}`;
}

/** A tool in prompts: its name, its purpose and the JSON schema of its arguments. */
export type ToolForm = {
  readonly name: string;
  readonly description: string;
  readonly parameters: unknown;
};

/** The arguments of a schema in one line, as `{"query": string, "k"?: number (how many)}`; else the schema itself. */
export function argumentForm(schema: unknown): string {
  return formOf(schema, 3);
}

function formOf(schema: unknown, depth: number): string {
  if (!isRecord(schema)) return "any";
  const { description } = schema;
  const note = typeof description === "string" && depth < 3 ? ` (${description})` : "";
  return `${choices(schema) ?? typeForm(schema, depth)}${note}`;
}

const words: { readonly [type: string]: string } = {
  string: "string",
  boolean: "boolean",
  number: "number",
  integer: "whole number",
};

function typeForm(schema: Readonly<Record<string, unknown>>, depth: number): string {
  const { type, items, $ref: reference } = schema;
  const word = typeof type === "string" ? words[type] : undefined;
  if (word !== undefined) return word;
  if (depth > 0 && type === "array") return `[${formOf(items, depth - 1)}, …]`;
  if (depth > 0 && type === "object" && reference === undefined) return objectForm(schema, depth);
  return Object.keys(schema).length === 0 ? "any" : JSON.stringify(schema);
}

function choices(schema: Readonly<Record<string, unknown>>): string | undefined {
  const { enum: values, const: value } = schema;
  if (Array.isArray(values)) return values.map((each) => JSON.stringify(each)).join(" | ");
  return value === undefined ? undefined : JSON.stringify(value);
}

function objectForm(schema: Readonly<Record<string, unknown>>, depth: number): string {
  const { properties, required } = schema;
  if (!isRecord(properties)) return "{}";
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name);
  const fields = Object.entries(properties).map(
    ([name, each]) =>
      `${JSON.stringify(name)}${isRequired(name) ? "" : "?"}: ${formOf(each, depth - 1)}`,
  );
  return `{${fields.join(", ")}}`;
}

/** The allowed replies where tools are called natively. */
export const wantedCall =
  "either make one complete tool call, or give your final answer as plain text";

/** The same where only a call will do. */
export const onlyCall = "make one complete tool call";

/** The problem of an answer where only a call will do. */
export const noCall = "your reply called no tool, so nothing that you say is known yet";

/** The problem of a tool's result that the model has written itself. */
export const inventedResult =
  "your reply is written as a tool's result, but no tool returned it, so nothing in it is known";

/** Tells a model, in a user message, what was wrong with its last reply and what is expected. */
export function correctionPrompt(problem: string, said: string, wanted: string): string {
  const quote = said === "" ? "" : `\nYour reply was:\n${said}`;
  return `That did not work: ${problem}.${quote}\nReply again: ${wanted}.`;
}

/** The problem of a reply with a tool call as text. */
export function writtenCall(names: readonly string[]): string {
  return `your reply holds a call of ${names.map((name) => `"${name}"`).join(", ")} as text, so it was not made`;
}

/**
 * Asks whether the model means the call in its last reply. The user has not seen that reply, so the model must repeat
 * everything.
 */
export function writtenCallPrompt(problem: string, said: string, wanted: string): string {
  return (
    `No tool was run: ${problem}.\nYour reply was:\n${said}\n` +
    "Did you mean to make this call now? Then make it. If you only showed, quoted or explained it, or it was " +
    "made before, do not make it: give the final answer, with all that the user is to read, in plain words. " +
    `Either way ${wanted}.`
  );
}
