import { type BaseMessage, ToolMessage } from "@langchain/core/messages";

import type { JsonObject } from "../../json/json.js";
import type { ToolStep } from "../../plan/step.js";
import { readEvidenceLines, withoutEvidenceLines } from "../../prompts/results.js";
import { isStructuredPrompt } from "../../prompts/structured.js";
import { planOffline, realModelHint } from "./plan-offline.js";

type Form = { name: string; schema?: unknown };
type Reading = { steps: ToolStep[]; declined: string; last: string | undefined };
/** The call options the stand-in looks at. */
export type OfflineOptions = {
  tools?: { function: Form }[];
  tool_choice?: unknown;
  response_format?: { type?: string; json_schema?: Form };
};

const sentence = (text = "") => (/[.!?]$/.test(text) ? text : `The result is ${text}.`);

/** What a human message asks, once "the result of S1" is filled in from the evidence it gives. */
function read(text = ""): Reading {
  const known = readEvidenceLines(text);
  const insert = (all: string, id: string) =>
    known.get(id)?.replace(/^(?:The result is )?(.*?)\.?$/, "($1)") ?? all;
  const question = withoutEvidenceLines(text).replaceAll(/the result of (\w+)/g, insert);
  return { steps: [], declined: "", last: [...known.values()].at(-1), ...planOffline(question) };
}

function asTask({ id, thought = "" }: ToolStep): JsonObject {
  const task = thought.replaceAll(/\bE(?=\d)/g, "S");
  return { id: id.replace("E", "S"), task, after: task.match(/S\d+/g) ?? [] };
}

function fillForm(form: Form, { steps, declined, last = declined }: Reading) {
  const route = /"enum":\["(.*?)"/.exec(JSON.stringify(form))?.[1] ?? "";
  const calls = steps.map(({ id, thought = "", tool, args }) => ({ id, thought, tool, args }));
  const forms = new Map<string, JsonObject>([
    ["replan", { action: "respond", response: last }],
    ["join", { thought: "The last evidence answers it.", action: "finish", answer: last }],
    ["route", { route, reason: "It is the first route." }],
    ["plan", declined ? { steps: [], answer: declined } : { steps: calls }],
    ["task_plan", declined ? { steps: [], answer: declined } : { steps: steps.map(asTask) }],
  ]);
  return forms.get(form.name);
}

/** The next call, with results for its references, or what came of the calls. */
function act(steps: ToolStep[], results: ToolMessage[], tools: Form[]) {
  const failed = results.findIndex(({ status }) => status === "error");
  if (failed >= 0) return `The tool ${steps[failed]?.tool} failed: ${results[failed]?.text}`;
  const step = steps[results.length];
  if (!step) return sentence(results.at(-1)?.text);
  const missing = tools.every(({ name }) => name !== step.tool);
  if (missing) return `The offline stand-in needs the tool ${step.tool}; ${realModelHint}`;
  const result = (_: string, at: string) => results[Number(at) - 1]?.text ?? "";
  const fill = (text: string) => text.replaceAll(/\{\{E(\d+)\}\}/g, result);
  const args = Object.entries(step.args).map(([key, arg]) => [
    key,
    typeof arg === "string" ? fill(arg) : arg,
  ]);
  return { name: step.tool, args: Object.fromEntries(args) };
}

/** The form asked for: by a JSON schema, or by a tool that is forced or the only one. */
function formOf(format: OfflineOptions["response_format"], tools: Form[], choice: unknown) {
  const forced = JSON.stringify(choice) ?? "";
  return format?.json_schema ?? tools.find(({ name }) => !tools[1] || forced.includes(`"${name}"`));
}

const isAsked = ({ type, text }: BaseMessage) => type === "human" && !isStructuredPrompt(text);

/** What the stand-in answers: a sentence or a JSON form as text, or one tool call. */
export function offlineReply(messages: BaseMessage[], options: OfflineOptions) {
  const at = messages.findLastIndex(isAsked);
  const reading = read(messages[at]?.text);
  const tools = options.tools?.map((tool) => tool.function) ?? [];
  const form = formOf(options.response_format, tools, options.tool_choice);
  const args = form && fillForm(form, reading);
  if (args) return tools.includes(form) ? { name: form.name, args } : JSON.stringify(args);
  if (reading.last && tools.length === 0) return sentence(reading.last);
  if (reading.declined) return reading.declined;
  const results = messages.slice(at).filter((each) => ToolMessage.isInstance(each));
  return act(reading.steps, results, tools);
}
