import * as chat from "@langchain/core/language_models/chat_models";
import { AIMessageChunk, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { ChatGenerationChunk } from "@langchain/core/outputs";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";

import { type JsonObject, parsedJson } from "../../json/json.js";
import type { ToolStep } from "../../plan/step.js";
import { readEvidenceLines, withoutEvidenceLines } from "../../prompts/results.js";
import { isStructuredPrompt } from "../../prompts/structured.js";
import { extractAnswer } from "./extract.js";

type Options = chat.BaseChatModelCallOptions & OfflineOptions;
type Call = Parameters<chat.BaseChatModel<Options>["_streamResponseChunks"]>;

const usage_metadata = { input_tokens: 0, output_tokens: 0, total_tokens: 0 };
const unset = [undefined, undefined, undefined, undefined] as const;

function inChunks([messages, options]: Call): ChatGenerationChunk[] {
  const reply = offlineReply(messages, options);
  const words = typeof reply === "string" ? (reply.match(/(?<!\s)\s*\S+/g) ?? []) : [];
  const spoken = [...words].map((word) => new AIMessageChunk(word));
  const called = typeof reply === "string" ? [] : [{ ...reply, args: JSON.stringify(reply.args) }];
  const calls = called.map((call) => ({ ...call, id: `offline_${messages.length}`, index: 0 }));
  const last = new AIMessageChunk({ content: "", tool_call_chunks: calls });
  Object.assign(last, { usage_metadata });
  return [...spoken, last].map(
    (message) => new ChatGenerationChunk({ text: message.text, message }),
  );
}

/** The offline model: deterministic, without a neural network; it understands only `offlineGrammar`. */
export class OfflineChatModel extends chat.BaseChatModel<Options> {
  override _llmType(): string {
    return "offline";
  }

  override get profile() {
    return { imageInputs: false, audioInputs: false, videoInputs: false, pdfInputs: false };
  }

  override bindTools(tools: chat.BindToolsInput[], options: Partial<Options> = {}) {
    return this.withConfig({ ...options, tools: tools.map((each) => convertToOpenAITool(each)) });
  }

  override async _generate(...call: Call) {
    return { generations: [inChunks(call).reduce((whole, chunk) => whole.concat(chunk))] };
  }

  override async *_streamResponseChunks(...call: Call) {
    for (const chunk of inChunks(call)) {
      yield chunk;
      await call[2]?.handleLLMNewToken(chunk.text, ...unset, { chunk });
    }
  }
}

type Form = { name: string; schema?: unknown };
type Reading = { steps: ToolStep[]; declined: string; last: string | undefined };
/** The call options that the offline model reads. */
type OfflineOptions = {
  tools?: { function: Form }[];
  tool_choice?: unknown;
  response_format?: { type?: string; json_schema?: Form };
};

const sentence = (text = "") => (/[.!?]$/.test(text) ? text : `The result is ${text}.`);

/** The steps for a human message, with "the result of S1" filled in from its evidence. */
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

function fillForm(
  form: Form,
  { steps, declined, last = declined }: Reading,
  messages: BaseMessage[],
) {
  const route = /"enum":\["(.*?)"/.exec(JSON.stringify(form))?.[1] ?? "";
  const calls = steps.map(({ id, thought = "", tool, args }) => ({ id, thought, tool, args }));
  const forms = new Map<string, JsonObject>([
    ["replan", { action: "respond", response: last }],
    ["join", { thought: "The last evidence answers it.", action: "finish", answer: last }],
    ["route", { route, reason: "It is the first route." }],
    ["plan", declined ? { steps: [], answer: declined } : { steps: calls }],
    ["task_plan", declined ? { steps: [], answer: declined } : { steps: steps.map(asTask) }],
  ]);
  return forms.get(form.name) ?? fillAssistantForm(form, messages);
}

/** The forms of an assistant: an answer from texts, a complete question, what to remember of the user. */
function fillAssistantForm({ name }: Form, messages: BaseMessage[]): JsonObject | undefined {
  if (name === "facts") return { facts: [] };
  if (name !== "answer" && name !== "question") return undefined;
  const prompt = messages.map(({ text }) => text).join("\n");
  const question = askedIn(prompt);
  return name === "question" ? { question } : extractAnswer(prompt, question);
}

/** The question that a prompt of the assistant quotes last. */
function askedIn(prompt: string): string {
  const line = prompt.split("\n").findLast((one) => /^The (?:last )?question: "/.test(one)) ?? '""';
  const asked = parsedJson(line.slice(line.indexOf('"')));
  return typeof asked === "string" ? asked : "";
}

/** The next call, with results for its references, or the outcome of the calls. */
function act(steps: ToolStep[], results: ToolMessage[], tools: Form[]) {
  const failed = results.findIndex(({ status }) => status === "error");
  if (failed >= 0) return `The tool ${steps[failed]?.tool} failed: ${results[failed]?.text}`;
  const step = steps[results.length];
  if (!step) return sentence(results.at(-1)?.text);
  const missing = tools.every(({ name }) => name !== step.tool);
  if (missing) return `The offline model needs the tool ${step.tool}; ${realModelHint}`;
  const result = (_: string, at: string) => results[Number(at) - 1]?.text ?? "";
  const fill = (text: string) => text.replaceAll(/\{\{E(\d+)\}\}/g, result);
  const args = Object.entries(step.args).map(([key, arg]) => [
    key,
    typeof arg === "string" ? fill(arg) : arg,
  ]);
  return { name: step.tool, args: Object.fromEntries(args) };
}

/** The requested form: a JSON schema, or a tool that is forced or the only one. */
function formOf(format: OfflineOptions["response_format"], tools: Form[], choice: unknown) {
  const forced = JSON.stringify(choice) ?? "";
  return format?.json_schema ?? tools.find(({ name }) => !tools[1] || forced.includes(`"${name}"`));
}

const isAsked = ({ type, text }: BaseMessage) => type === "human" && !isStructuredPrompt(text);

/** The offline model's reply: a sentence or a JSON object as text, or one tool call. */
function offlineReply(messages: BaseMessage[], options: OfflineOptions) {
  const at = messages.findLastIndex(isAsked);
  const reading = read(messages[at]?.text);
  const tools = options.tools?.map((tool) => tool.function) ?? [];
  const form = formOf(options.response_format, tools, options.tool_choice);
  const args = form && fillForm(form, reading, messages);
  if (args) return tools.includes(form) ? { name: form.name, args } : JSON.stringify(args);
  if (reading.last && tools.length === 0) return sentence(reading.last);
  if (reading.declined) return reading.declined;
  const results = messages.slice(at).filter((each) => ToolMessage.isInstance(each));
  return act(reading.steps, results, tools);
}

/** The grammar of the offline model's questions, to print; articles are skipped. */
export const offlineGrammar = `question = { LABEL ":" } { "what is" | "what's" | "calculate" | "pick" } ( sum | date ) [ "?" | "." | "=" ]
sum      = operand { SIGN operand }
operand  = [ "-" ] ( power | "(" sum ")" [ "^" INTEGER ] | square | random )
power    = NUMBER [ "^" INTEGER ]
square   = "square of" ( power | square | random | "(" sum without parentheses ")" )
random   = "random number between" INTEGER "and" INTEGER
date     = "current date" | "today's date"
SIGN     = "+" | "-" | "*" | "/" | "plus" | "minus" | "times" | "divided by"`;

/** Ends every sentence in which the offline model declines. */
const realModelHint =
  "for a real model set PLANGRAPH_MODEL=openai:NAME with OPENAI_API_KEY, or pass --model.";
const declined = `The offline model reads only sums, squares, random numbers and today's date; ${realModelHint}`;

const signs = new Map(Object.entries({ plus: "+", minus: "-", times: "*", "divided by": "/" }));
const value = String.raw`(?:\d+(?:\.\d+)?(?: ?\^ ?\d+)?|\{\{E\d+\}\})`;
const sum = `-? ?${value}(?: ?[-−+*×/÷] ?-? ?${value})*`;
const group = `\\( ?${sum} ?\\)`;
const grouped = new RegExp(`(?<![\\d)}] ?)${group}(?! ?[\\d({])`, "g");
const random = /random number between (-?\d{1,15}) and (-?\d{1,15})/;
const square = new RegExp(`square of (${value}|${group})`);

type Phrase = readonly [RegExp, tool: string, args: (...found: [string, string]) => JsonObject];
const phrases: readonly Phrase[] = [
  [random, "random_number", (low, high) => ({ low: Number(low), high: Number(high) })],
  [square, "calculator", (of) => ({ expression: `${of} * ${of}` })],
  [/^(?:current|today['’]s) date$/, "current_date", () => ({})],
];

function plain(question: string): string {
  return question
    .toLowerCase()
    .replaceAll(/\s+/g, " ")
    .replaceAll(/plus|minus|times|divided by/g, (word) => signs.get(word) ?? word)
    .replaceAll(/\b(?:the|an?) |^ | ?[?.=]? ?$/g, "")
    .replace(/^(?:[a-z][\w ]{0,30}: )*(?:(?:what is|what['’]s|calculate|pick) )*/, "");
}

function isSum(text: string): boolean {
  const reduced = text.replaceAll(grouped, "0");
  return reduced === text ? new RegExp(`^${sum}$`).test(text) : isSum(reduced);
}

/** Reads a question of `offlineGrammar` as steps, or declines it in one sentence. Never throws. */
export function planOffline(question: string): { steps: ToolStep[] } | { declined: string } {
  const steps: ToolStep[] = [];
  const step = (phrase: string, tool: string, args: JsonObject) => {
    const thought = phrase.replaceAll(/\{\{(E\d+)\}\}/g, "the result of $1");
    steps.push({ kind: "tool", id: `E${steps.length + 1}`, thought, tool, args });
    return `{{E${steps.length}}}`;
  };
  let text = question.length > 500 ? "" : plain(question);
  for (let before = ""; before !== text;) {
    before = text;
    for (const [pattern, tool, args] of phrases) {
      text = text.replace(pattern, (all: string, ...found: [string, string]) =>
        step(all, tool, args(...found)),
      );
    }
  }
  if (!isSum(text)) return { declined };
  if (text !== `{{E${steps.length}}}`) step(text, "calculator", { expression: text });
  return { steps };
}
