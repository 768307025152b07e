import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  isAIMessage,
  isToolMessage,
  type MessageContent,
  SystemMessage,
  type ToolMessage,
} from "@langchain/core/messages";
import type { StructuredToolInterface } from "@langchain/core/tools";

import { isDateFormat } from "../../dates/date-format.js";
import { isRecord } from "../../json/json.js";
import {
  actionText,
  finalActionFor,
  jsonInstructions,
  observationLabel,
  observationReminder,
  observationText,
  type ToolForm,
  wantedAction,
} from "../../prompts/tool-protocol.js";
import type { MissingCapability } from "../../state/capability.js";
import { toolForm } from "../model-request.js";
import { oncePerObject } from "../once-per-object.js";
import { type Action, readAction } from "../protocol/read-action.js";
import { wasCut } from "../reply.js";
import { shownOf } from "./media.js";
import {
  type NamedSchema,
  objectSchema,
  outputOptions,
  type OutputMode,
  outputModeFor,
} from "./output-mode.js";
import {
  acted,
  askedBack,
  type Calls,
  isQuotedCall,
  offered,
  quotedCall,
  unheeded,
} from "./reply.js";
import type {
  Expected,
  NormalizedReply,
  Offer,
  ProviderRequest,
  ToolProtocol,
} from "./tool-protocol.js";

/** Tools are called as JSON in the text of a reply. */
export const jsonProtocol: ToolProtocol = {
  name: "json",
  streams: false,
  modes: ["json_schema", "json_mode"],
  ask: askInJson,
  action: (reply, tools) => readAction(reply.text, tools, wasCut(reply)),
  read: actionReply,
  answerField: (tools) => ({
    field: "action_input",
    when: { field: "action", is: finalActionFor(tools) },
  }),
  reminder: wantedAction,
};

function askInJson(
  { messages, tools, options: given, call, callOf }: Offer<StructuredToolInterface>,
  missing: ReadonlySet<MissingCapability>,
): Offer & Pick<ProviderRequest, "mode"> {
  const { tool_choice: _choice, parallel_tool_calls: _parallel, ...options } = given;
  const history = jsonHistory(messages, tools.map(toolForm));
  if (tools.length === 0) return { messages: history, tools: [], options };
  const mode = outputModeFor(missing, jsonProtocol.modes);
  const schema = call === undefined ? responseSchemaOf(tools) : callSchema(tools, callOf);
  const asking = outputOptions(schema, mode, missing);
  const stop = stopOptions(mode, missing);
  return { messages: history, tools: [], options: { ...options, ...asking, ...stop }, mode };
}

/** Without a schema, stops a model from inventing a result. A JSON string has no line breaks, so answers stay whole. */
function stopOptions(mode: OutputMode, missing: ReadonlySet<MissingCapability>) {
  return mode === "json_schema" || missing.has("no_stop")
    ? {}
    : { stop: [`\n${observationLabel}`] };
}

const responseSchemaOf = oncePerObject((tools: readonly StructuredToolInterface[]) =>
  responseSchema(tools.map(toolForm)),
);

/**
 * The schema of a reply that must call a tool: without a thought. What a small model thinks of first, such as "15 % of
 * 930", it calls for, and not what the question asks.
 */
const callSchemaOf = oncePerObject((tools: readonly StructuredToolInterface[]) =>
  actionSchema(callBranches(tools.map(toolForm), {})),
);

function callSchema(
  tools: readonly StructuredToolInterface[],
  of?: ReadonlySet<string>,
): NamedSchema {
  const some = of === undefined ? tools : tools.filter(({ name }) => of.has(name));
  return callSchemaOf(some.length === 0 ? tools : some);
}

/** The schema of a reply: a branch for each tool, with the tool's own arguments, and one for the answer. */
export function responseSchema(tools: readonly ToolForm[]): NamedSchema {
  const answer = branch(withThought, finalActionFor(tools), { type: "string", minLength: 1 });
  return actionSchema([...callBranches(tools, withThought), answer]);
}

function actionSchema(branches: readonly object[]): NamedSchema {
  return { name: "action", schema: { anyOf: branches } };
}

const withThought = { thought: { type: "string" } };

function callBranches(tools: readonly ToolForm[], first: object): object[] {
  return tools.map(({ name, parameters }) => branch(first, name, inputSchema(parameters)));
}

function branch(first: object, action: string, input: object) {
  return objectSchema({ ...first, action: { const: action }, action_input: input });
}

/** The tool's arguments; any object if they refer to definitions, which a branch cannot hold. */
function inputSchema(parameters: unknown): object {
  const refers = JSON.stringify(parameters ?? {}).includes('"$ref"');
  if (!isRecord(parameters) || refers) return { type: "object" };
  const { $schema: _dialect, ...schema } = parameters;
  const free = withFreeDates(schema);
  return { type: "object", ...(isRecord(free) ? free : {}) };
}

/**
 * A schema for the reply with any text as a date: a model that may not write "next Tuesday" makes up a day. Its text
 * becomes the date that the parameter asks for.
 */
export function withFreeDates(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withFreeDates);
  if (!isRecord(schema)) return schema;
  const { format, pattern: _pattern, ...rest } = schema;
  const isDate = schema["type"] === "string" && typeof format === "string" && isDateFormat(format);
  const kept = isDate ? rest : schema;
  return Object.fromEntries(Object.entries(kept).map(([key, part]) => [key, withFreeDates(part)]));
}

/** A sanitized history for the JSON protocol: calls and results as text, instructions ending the system message. */
export function jsonHistory(
  messages: readonly BaseMessage[],
  tools: readonly ToolForm[],
): BaseMessage[] {
  const turns = messages.flatMap((message, at) =>
    isToolMessage(message) ? [] : turnOf(message, messages.slice(at + 1), tools),
  );
  if (tools.length === 0) return turns;
  const instructions = jsonInstructions(tools);
  const last = messages.at(-1);
  const isObserved = last !== undefined && isToolMessage(last);
  const [first, ...rest] = isObserved ? withReminder(turns) : turns;
  if (first?.type === "system") {
    return [new SystemMessage(`${first.text}\n\n${instructions}`), ...rest];
  }
  return [new SystemMessage(instructions), ...(first === undefined ? [] : [first]), ...rest];
}

function withReminder(turns: readonly BaseMessage[]): BaseMessage[] {
  const newest = turns.at(-1);
  const { content = "" } = newest ?? {};
  const reminded =
    typeof content === "string"
      ? `${content}\n${observationReminder}`
      : [...content, { type: "text", text: observationReminder }];
  return [...turns.slice(0, -1), new HumanMessage({ content: reminded })];
}

function turnOf(
  message: BaseMessage,
  after: readonly BaseMessage[],
  tools: readonly ToolForm[],
): BaseMessage[] {
  if (!isAIMessage(message)) return [message];
  const { tool_calls: calls = [], text } = message;
  if (calls.length === 0) {
    if (tools.length === 0) return [message];
    return [new AIMessage(actionText(thoughtOf(message), finalActionFor(tools), text))];
  }
  const thought = [thoughtOf(message), text].filter((each) => each !== "").join("\n");
  return calls.flatMap(({ id, name, args }) => {
    const result = after.filter(isToolMessage).find((each) => each.tool_call_id === id);
    return [
      new AIMessage(actionText(thought, name, args)),
      new HumanMessage({ content: observationContent(result) }),
    ];
  });
}

/** A result's text, followed by its images and files. */
function observationContent(result: ToolMessage | undefined): MessageContent {
  const text = observationText(result?.text ?? "");
  const shown = result === undefined ? [] : shownOf(result);
  return shown.length === 0 ? text : [{ type: "text", text }, ...shown];
}

function thoughtOf({ additional_kwargs: kwargs }: AIMessage): string {
  const thought: unknown = kwargs["reasoning_content"];
  return typeof thought === "string" ? thought : "";
}

/** A reply of the JSON protocol: only the protocol's own object acts, and only if the reply is nothing else. */
function actionReply(reply: AIMessage, sent: ProviderRequest, expected: Expected): NormalizedReply {
  const action = readAction(reply.text, expected.tools, wasCut(reply));
  const isRepeated = expected.sentBack?.text === reply.text.trim();
  const wired =
    action.kind === "calls" && !isRepeated
      ? callReply(reply, action, expected)
      : otherReply(reply, action, expected, isRepeated);
  const isMade =
    expected.sentBack?.isTurned === true && (wired.message.tool_calls ?? []).length > 0;
  const learned = isMade ? "json_calls" : unheeded(reply, sent, expected.isCorrection);
  return { ...wired, ...(learned === undefined ? {} : { learned }) };
}

function callReply(reply: AIMessage, action: Calls, expected: Expected): NormalizedReply {
  const { isOwn, isAlone, thought } = action;
  const isQuoted = isQuotedCall(action, expected);
  // A model may make a call that it saw in a result: then the thought is its own.
  const isCopied = isQuoted && expected.results().some((result) => result.includes(thought));
  if (isOwn && isAlone && !isCopied) return acted(reply, action);
  const names = offered(action, expected);
  if (names.length === 0) return otherReply(reply, unwanted, expected);
  return askedBack(reply, names, expected, isQuoted ? quotedCall : undefined);
}

const unwanted: Action = {
  kind: "neither",
  problem: "your reply was not in the wanted form",
  isBroken: false,
};

/** An answer, or neither: prose is the answer after a correction, and so is text that a model only repeats. */
function otherReply(
  reply: AIMessage,
  action: Action,
  { isCorrection }: Expected,
  isRepeated = false,
): NormalizedReply {
  const isProse = action.kind === "neither" && !action.isBroken;
  return isRepeated || (isProse && isCorrection === true)
    ? { message: reply }
    : acted(reply, action);
}
