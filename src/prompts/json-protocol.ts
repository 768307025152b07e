import { argumentForm, type ToolForm } from "./argument-form.js";

/** The action that ends a run of the JSON protocol. */
export const finalAction = "final_answer";

/** Its name where a tool has the usual one. */
export const otherFinalAction = "give_final_answer";

/** The name of the action that ends a run with these tools. */
export function finalActionFor(tools: readonly ToolForm[]): string {
  return tools.some(({ name }) => name === finalAction) ? otherFinalAction : finalAction;
}

/** What a tool's result begins with in the JSON protocol; a model is stopped before it writes one itself. */
export const observationLabel = "Observation";

/** How a model without tool calling acts: one JSON object a turn. */
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

/** A tool's result as the JSON protocol sends it. */
export function observationText(result: string): string {
  return `${observationLabel}: ${result}`;
}

/** Follows the newest result: a small model goes on calling tools without it, though it has all it needs. */
export const observationReminder =
  "If this answers the question, give the final answer; else make the next tool call.";

/** The form that is wanted, for a reply that was neither an action nor a final answer. */
export function wantedAction(tools: readonly ToolForm[]): string {
  const names = [...tools.map(({ name }) => name), finalActionFor(tools)];
  return `reply with one JSON object in the form {"thought": string, "action": ${names.map((name) => JSON.stringify(name)).join(" | ")}, "action_input": …}`;
}
