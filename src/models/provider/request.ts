import type { BindToolsInput } from "@langchain/core/language_models/chat_models";
import type { BaseMessage } from "@langchain/core/messages";
import type { StructuredToolInterface } from "@langchain/core/tools";

import { isDateFormat } from "../../dates/date-format.js";
import { isRecord } from "../../json/json.js";
import { finalActionFor, observationLabel, type ToolForm } from "../../prompts/tool-protocol.js";
import type { MissingCapability } from "../../state/capability.js";
import { type ModelRequest, toolForm } from "../model-request.js";
import { withNotes } from "./media.js";
import { jsonHistory, shapeMessages } from "./messages.js";
import { type Form, formOptions, formTool, type OutputMode, outputModeFor } from "./output-mode.js";

/** A request as it goes to one model, and how its reply is to be read. */
export type ProviderRequest = {
  readonly messages: readonly BaseMessage[];
  /** Bound to the model. */
  readonly tools: readonly BindToolsInput[];
  /** Options of the model's `invoke`. */
  readonly options: Readonly<Record<string, unknown>>;
  /** How the model calls tools. */
  readonly protocol: "native" | "json";
  /** How an object is asked for, if one is. */
  readonly mode?: OutputMode;
  /** Whether a model that takes no tool calls may go over to JSON. */
  readonly mayAdapt: boolean;
  /** What was known of the model when the request was made. Another one may learn more meanwhile. */
  readonly missing: ReadonlySet<MissingCapability>;
};

type Asked = Pick<ModelRequest, "protocol" | "tools" | "form" | "options" | "sentBack">;

/** Puts a request, its messages fitted already, into the form that a model without these capabilities takes. */
export function providerRequest(
  request: Asked,
  messages: readonly BaseMessage[],
  missing: ReadonlySet<MissingCapability>,
): ProviderRequest {
  const { protocol: wanted, form, options } = request;
  const isJson = isAskedInJson(request, missing);
  const tools = request.tools ?? [];
  const asking =
    form === undefined ? askingTools(tools, isJson, missing) : askingForm(form, isJson, missing);
  const readable = withNotes(messages, missing);
  const history = isJson ? jsonHistory(readable, asking.instructed) : readable;
  const usage = missing.has("no_stream_usage") ? { stream_options: null } : {};
  return {
    messages: shapeMessages(history, missing),
    tools: asking.tools,
    options: { ...(isJson ? withoutTools(options) : options), ...asking.options, ...usage },
    protocol: isJson ? "json" : "native",
    ...(asking.mode === undefined ? {} : { mode: asking.mode }),
    mayAdapt: wanted === "auto",
    missing: new Set(missing),
  };
}

/** Whether calls are asked for as JSON: by choice, or of a model that writes them as text, or just did. */
function isAskedInJson(
  { protocol, sentBack }: Asked,
  missing: ReadonlySet<MissingCapability>,
): boolean {
  const isTurned = missing.has("json_calls") || sentBack?.isTurned === true;
  return protocol === "json" || (protocol === "auto" && isTurned);
}

/** Options without those that are refused where there are no tools. */
function withoutTools(options: Asked["options"] = {}) {
  const { tool_choice: _choice, parallel_tool_calls: _parallel, ...rest } = options;
  return rest;
}

/** How a model is asked for what is wanted of it. */
type Asking = Pick<ProviderRequest, "tools" | "options" | "mode"> & {
  /** Tools that the JSON protocol tells of. */
  readonly instructed: readonly ToolForm[];
};

function askingForm(form: Form, isJson: boolean, missing: ReadonlySet<MissingCapability>): Asking {
  const mode = outputModeFor(missing, isJson);
  const tools = mode === "forced_tool" ? formTools(form) : [];
  return { tools, options: formOptions(form, mode, missing), mode, instructed: [] };
}

function askingTools(
  tools: readonly StructuredToolInterface[],
  isJson: boolean,
  missing: ReadonlySet<MissingCapability>,
): Asking {
  if (!isJson || tools.length === 0)
    return { tools: isJson ? [] : tools, options: {}, instructed: [] };
  const mode = outputModeFor(missing, true);
  const form = formOptions(actionFormOf(tools), mode, missing);
  const options = { ...form, ...stopOptions(mode, missing) };
  return { tools: [], options, mode, instructed: tools.map(toolForm) };
}

/**
 * Keeps a model from writing a tool's result itself, where no schema does. In JSON no line can begin
 * inside a string, so that an answer with the word in it is not cut.
 */
function stopOptions(mode: OutputMode, missing: ReadonlySet<MissingCapability>) {
  return mode === "json_schema" || missing.has("no_stop")
    ? {}
    : { stop: [`\n${observationLabel}`] };
}

/** Forms of tools already made, and tools of forms: what is the same is bound to a model once. */
const actionForms = new WeakMap<readonly StructuredToolInterface[], Form>();
const toolsByForm = new WeakMap<Form, readonly BindToolsInput[]>();

function actionFormOf(tools: readonly StructuredToolInterface[]): Form {
  const form = actionForms.get(tools) ?? actionForm(tools.map(toolForm));
  actionForms.set(tools, form);
  return form;
}

function formTools(form: Form): readonly BindToolsInput[] {
  const tools = toolsByForm.get(form) ?? [formTool(form)];
  toolsByForm.set(form, tools);
  return tools;
}

/** The form of a turn of the JSON protocol: a branch for each tool, with the tool's own arguments, and one for the answer. */
export function actionForm(tools: readonly ToolForm[]): Form {
  const branches = tools.map(({ name, parameters }) => branch(name, inputSchema(parameters)));
  const answer = branch(finalActionFor(tools), { type: "string", minLength: 1 });
  return { name: "action", schema: { anyOf: [...branches, answer] } };
}

function branch(action: string, input: object) {
  return {
    type: "object",
    properties: {
      thought: { type: "string" },
      action: { const: action },
      action_input: input,
    },
    required: ["thought", "action", "action_input"],
    additionalProperties: false,
  };
}

/** The tool's arguments; where they refer to definitions, which have no place in a branch, any object. */
function inputSchema(parameters: unknown): object {
  const refers = JSON.stringify(parameters ?? {}).includes('"$ref"');
  if (!isRecord(parameters) || refers) return { type: "object" };
  const { $schema: _dialect, ...schema } = parameters;
  const free = withFreeDates(schema);
  return { type: "object", ...(isRecord(free) ? free : {}) };
}

/**
 * A schema as a reply is held to it while it is written: a date may be any text, since a model that may not write
 * "next Tuesday" makes up a day. What it writes becomes the date that the parameter asks for.
 */
export function withFreeDates(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withFreeDates);
  if (!isRecord(schema)) return schema;
  const { format, pattern: _pattern, ...rest } = schema;
  const isDate = schema["type"] === "string" && typeof format === "string" && isDateFormat(format);
  const kept = isDate ? rest : schema;
  return Object.fromEntries(Object.entries(kept).map(([key, part]) => [key, withFreeDates(part)]));
}
