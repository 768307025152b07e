import { optionalPackage, PlangraphError } from "../errors.js";
import { defined, isJsonObject, type Json, type JsonObject, mapFields } from "../json/json.js";
import type { AgentEvent, EventStep } from "../observe/events.js";
import { figurePlaces } from "../plan/figures.js";
import { freeName } from "../run/check-names.js";
import { referencesIn, unreadableReferencesIn } from "../plan/step.js";
import { builtInTools } from "../tools/builtin/by-name.js";
import { llmToolName } from "../tools/builtin/llm.js";
import type { TracedEvent } from "./trace-file.js";
import type { TracedRun } from "./traced-run.js";

/** A step of a plan that called a tool. */
type PlannedCall = Extract<EventStep, { readonly args: Json }>;

/** A value of the question that becomes an input of the workflow. */
type Input = { readonly name: string; readonly value: string | number };

/**
 * The plan of a recorded run as a workflow file, in YAML: its steps that have results, a prompt for the answer, and what
 * the question gave as input. Throws `invalid_input` for a run without a plan of tool calls, or without its content.
 */
export async function workflowText(
  run: TracedRun,
  traced: readonly TracedEvent[],
): Promise<string> {
  const events = traced.map(({ event }) => event).filter(({ runId }) => runId === run.id);
  const { question } = run;
  if (question === undefined) throw unusable(run, "its content was not kept");
  const steps = stepsWithResults(events);
  if (steps.length === 0) throw unusable(run, "it has no plan of tool calls with results");
  const inputs = inputsOf(steps, question);
  const { stringify } = await optionalPackage(
    () => import("yaml"),
    'A workflow from a trace needs the package "yaml": npm install yaml.',
  );
  const file = workflowOf(steps, question, inputs);
  return `${remarks(run, steps, inputs)}${stringify(file, { lineWidth: 100 })}`;
}

/** The planned calls that brought a result, in the order of the plan. */
function stepsWithResults(events: readonly AgentEvent[]): PlannedCall[] {
  const done = new Set(
    events.flatMap((event) => (event.type === "tool_finished" && event.ok ? [event.callId] : [])),
  );
  const planned = events.flatMap((event) =>
    event.type === "plan_made" ? (event.content?.steps ?? []) : [],
  );
  return planned
    .filter((step): step is PlannedCall => "args" in step)
    .filter(({ id }) => done.has(id));
}

/** Values of arguments that stand in the question: whole texts, and figures. */
function inputsOf(steps: readonly PlannedCall[], question: string): Input[] {
  const inputs: Input[] = [];
  const figures = new Set(figurePlaces(question).flatMap(({ values }) => values));
  const add = (wanted: string, value: string | number) => {
    if (inputs.some((one) => one.value === value)) return;
    inputs.push({ name: inputName(wanted, inputs), value });
  };
  for (const { tool, args } of steps) {
    if (!isJsonObject(args) || tool === llmToolName) continue;
    for (const [name, value] of Object.entries(args)) {
      for (const found of givenValues(value, question, figures)) add(name, found);
    }
  }
  return inputs;
}

function givenValues(
  value: Json,
  question: string,
  figures: ReadonlySet<number>,
): (string | number)[] {
  if (typeof value === "number") return figures.has(value) ? [value] : [];
  if (typeof value !== "string" || value.length < 2) return [];
  if (referencesIn(value).length === 0 && occurs(value, question)) return [value];
  return figurePlaces(value).flatMap(({ values: [figure] }) =>
    figure !== undefined && figures.has(figure) ? [figure] : [],
  );
}

function occurs(value: string, question: string): boolean {
  const at = question.toLowerCase().indexOf(value.toLowerCase());
  const border = /[\p{L}\p{N}]/u;
  return (
    at >= 0 &&
    !border.test(question[at - 1] ?? "") &&
    !border.test(question[at + value.length] ?? "")
  );
}

/** A name that references can use, and that no other input has. */
function inputName(wanted: string, inputs: readonly Input[]): string {
  const plain = wanted.replaceAll(/[^\p{L}\p{N}_]/gu, "_").replace(/^\p{N}/u, "_$&");
  return freeName(plain, new Set(inputs.map(({ name }) => name)));
}

function workflowOf(
  steps: readonly PlannedCall[],
  question: string,
  inputs: readonly Input[],
): JsonObject {
  const types = inputs.map(({ name, value }) => [
    name,
    typeof value === "number" ? "number" : "text",
  ]);
  const builtIn = new Set(steps.map(({ tool }) => tool).filter((name) => name in builtInTools));
  const results = steps.map(({ id, thought }) => `- ${withoutStop(thought) || id}: {{${id}}}`);
  const prompt = [`Answer the question: ${question}`, "The results:", ...results].join("\n");
  return {
    ...(types.length === 0 ? {} : { input: Object.fromEntries(types) }),
    ...(builtIn.size === 0 ? {} : { tools: [...builtIn] }),
    steps: {
      ...Object.fromEntries(steps.map((step) => [step.id, stepOf(step, inputs)])),
      answer: { prompt: withInputs(prompt, inputs) },
    },
    output: "{{answer}}",
  };
}

function withoutStop(text: string): string {
  return text.endsWith(".") ? text.slice(0, -1) : text;
}

function stepOf({ tool, thought, args }: PlannedCall, inputs: readonly Input[]): JsonObject {
  const note = thought === "" ? undefined : thought;
  const given = mapFields(isJsonObject(args) ? args : {}, (text) => withInputs(text, inputs));
  const whole = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, wholeInput(value, inputs)]),
  );
  if (tool === llmToolName) return { ...defined({ note }), prompt: given["prompt"] ?? "" };
  return { ...defined({ note }), tool, args: whole };
}

function wholeInput(value: Json, inputs: readonly Input[]): Json {
  const found = inputs.find((one) => one.value === value);
  return found === undefined ? value : `{{input.${found.name}}}`;
}

/** A text with references in the places of the values that the question gave. */
function withInputs(text: string, inputs: readonly Input[]): string {
  const parts = text.split(/(\{\{[^{}]*\}\})/);
  return parts.map((part) => (part.startsWith("{{") ? part : withoutValues(part, inputs))).join("");
}

function withoutValues(text: string, inputs: readonly Input[]): string {
  let result = text;
  for (const { name, value } of inputs) {
    const reference = `{{input.${name}}}`;
    if (typeof value === "string") {
      result = result.replaceAll(value, reference);
      continue;
    }
    for (const { values, start, end } of figurePlaces(result).toReversed()) {
      if (values[0] !== value) continue;
      const figure = result.slice(start, end);
      const sign = figure.slice(figure.replace("%", " ").trimEnd().length);
      result = `${result.slice(0, start)}${reference}${sign}${result.slice(end)}`;
    }
  }
  return result;
}

/** What the trace does not know, as comments at the head of the file. */
function remarks(run: TracedRun, steps: readonly PlannedCall[], inputs: readonly Input[]): string {
  const others = new Set(
    steps.map(({ tool }) => tool).filter((name) => name !== llmToolName && !(name in builtInTools)),
  );
  const given = Object.fromEntries(inputs.map(({ name, value }) => [name, value]));
  const unread = steps.filter(({ args }) => unreadableReferencesIn(args).length > 0);
  return [
    `# The plan of run ${run.id}, made ${new Date(run.startedAt).toISOString()}.`,
    ...(inputs.length === 0 ? [] : [`# It ran with ${JSON.stringify(given)}.`]),
    ...(others.size === 0
      ? []
      : [`# Name under tools or services where these come from: ${[...others].join(", ")}.`]),
    ...(unread.length === 0 ? [] : ["# Some references in it could not be read."]),
    "",
  ].join("\n");
}

function unusable({ id }: TracedRun, why: string): PlangraphError {
  return new PlangraphError("invalid_input", `Run ${id} cannot become a workflow: ${why}.`);
}
