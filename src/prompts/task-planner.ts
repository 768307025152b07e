import type { BaseMessage } from "@langchain/core/messages";

import { agentPrompt } from "./agent.js";
import type { ToolForm } from "./argument-form.js";

/** What a planner of tasks is told when the caller says nothing else. */
export const defaultTaskPlannerInstructions =
  "You plan how to answer the user's question in steps; you do not answer it. Each step is one task in a " +
  "sentence, which somebody else carries out with tools and without the conversation: it names all that it is " +
  "about. You know no figures, names or dates yourself: plan a step for every fact that is needed, then the " +
  'calculations. A step that needs earlier results says so, as in "the result of S1", and lists them in ' +
  '"after"; steps that need nothing of one another have no order. The last step comes to what answers the ' +
  'whole question and is marked "final".';

/** The conversation as the planner's model reads it, with what there is to carry out the steps. */
export function taskPlannerPrompt(
  messages: readonly BaseMessage[],
  instructions: string,
  date: string,
  tools: readonly ToolForm[],
): BaseMessage[] {
  const parts = [instructions, toolList(tools), taskExample];
  return agentPrompt(messages, parts.join("\n\n"), date);
}

/** The tools by name and description: a planner of tasks needs no arguments. */
export function toolList(tools: readonly ToolForm[]): string {
  if (tools.length === 0) return "There are no tools: steps are carried out by thinking alone.";
  const lines = tools.map(
    ({ name, description }) => `- ${name}: ${description.trim().replaceAll(/\s+/g, " ")}`,
  );
  return `The steps are carried out with these tools:\n${lines.join("\n")}`;
}

const exampleSteps = [
  { id: "S1", task: "Find the weight of a Falbo bell.", after: [] },
  { id: "S2", task: "Find the weight of a Renn bell.", after: [] },
  {
    id: "S3",
    task: "Calculate how many times the result of S1 the result of S2 is: the result of S2 divided by the result of S1.",
    after: ["S1", "S2"],
    final: true,
  },
];

/** A plan for a question that nobody asks, in the very form that is asked for. */
const taskExample = `An example. "How many times the weight of a Falbo bell is the weight of a Renn bell?" is planned as\n${JSON.stringify({ steps: exampleSteps })}`;
