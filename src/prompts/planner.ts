import type { BaseMessage } from "@langchain/core/messages";

import { isRecord } from "../json/json.js";
import { agentPrompt } from "./agent.js";
import { argumentForm, type ToolForm } from "./argument-form.js";

/** What a planner is told when the caller says nothing else. */
export const defaultPlannerInstructions =
  "You plan how to answer the user's question with tools; you do not answer it. You know no figures, " +
  "names or dates yourself: plan a step for every fact that is needed, one thing in each step, then the " +
  "calculations, up to the figure that answers the whole question. What the question says itself (a " +
  "percentage, a number of pieces) is not looked up: it goes into the calculation. A step that needs the " +
  "result of an earlier one writes {{E1}} where the result belongs. The steps run by themselves, without you.";

/** The conversation as the planner's model reads it, with the tools and one worked example. */
export function plannerPrompt(
  messages: readonly BaseMessage[],
  instructions: string,
  date: string,
  tools: readonly ToolForm[],
): BaseMessage[] {
  const example = exampleFor(tools);
  const parts = [
    instructions,
    `The tools, with their arguments:\n${tools.map((tool) => toolLine(tool)).join("\n")}`,
    ...(example === undefined ? [] : [example]),
  ];
  return agentPrompt(messages, parts.join("\n\n"), date);
}

function toolLine({ name, description, parameters }: ToolForm): string {
  return `- ${name} ${argumentForm(parameters)}: ${description.trim().replaceAll(/\s+/g, " ")}`;
}

const wantedPlan = 'Write the plan for this question, as {"steps": […]}.';
const answerRule =
  'Only where no step can be needed, for a greeting or for what the conversation above says already: {"steps": [], "answer": "…"}.';

/**
 * What the plan is to hold, for the request that asks for it. `mayAnswer`: the conversation may hold the answer already.
 * A small model that reads of an answer writes one from memory, beside its plan or in place of a step: of a first
 * question it reads nothing of it.
 */
export function planTask(mayAnswer: boolean): string {
  return mayAnswer ? `${wantedPlan} ${answerRule}` : wantedPlan;
}

/**
 * A plan for a question that nobody asks, in the very form that is asked for: facts, a change in percent, an
 * average in two steps, which of two figures is divided by the other. Only for tools that it fits: an example with other tools would be copied.
 */
function exampleFor(tools: readonly ToolForm[]): string | undefined {
  const look = tools.find(
    (tool) => onlyText(tool) !== undefined && onlyText(tool) !== "expression",
  );
  const count = tools.find((tool) => onlyText(tool) === "expression");
  if (look === undefined || count === undefined) return undefined;
  const field = onlyText(look) ?? "";
  const found = (id: string, thought: string, what: string) => ({
    id,
    thought,
    tool: look.name,
    args: { [field]: what },
  });
  const counted = (id: string, thought: string, expression: string) => ({
    id,
    thought,
    tool: count.name,
    args: { expression },
  });
  const steps = [
    found("E1", "The weight of a Falbo bell", "weight of a Falbo bell"),
    found("E2", "The weight of a Renn bell", "weight of a Renn bell"),
    found("E3", "The weight of an Orm bell", "weight of an Orm bell"),
    counted("E4", "The weight of a Falbo bell that grows by 5%", "{{E1}} * 1.05"),
    counted("E5", "The weight of a Renn bell and an Orm bell together", "{{E2}} + {{E3}}"),
    counted("E6", "The average weight of a Renn bell and an Orm bell", "{{E5}} / 2"),
    counted("E7", "How many times E4 is E6", "{{E6}} / {{E4}}"),
  ];
  const asked =
    "How many times the weight of a Falbo bell that grows by 5% is the average weight of a Renn bell and an Orm bell?";
  return `An example. "${asked}" is planned as\n${JSON.stringify({ steps })}`;
}

/** The only argument of a tool, where it is a text. */
function onlyText({ parameters }: ToolForm): string | undefined {
  const properties = isRecord(parameters) ? parameters["properties"] : undefined;
  const [first, ...others] = isRecord(properties) ? Object.entries(properties) : [];
  const [name, field] = first ?? [];
  return others.length === 0 && isRecord(field) && field["type"] === "string" ? name : undefined;
}
