import type { BindToolsInput } from "@langchain/core/language_models/chat_models";
import type { BaseMessage } from "@langchain/core/messages";

import type { MissingCapability } from "../../state/capability.js";
import type { ModelRequest } from "../model-request.js";
import { oncePerObject } from "../once-per-object.js";
import { jsonProtocol } from "./json-protocol.js";
import { withNotes } from "./media.js";
import { shapeMessages } from "./messages.js";
import { nativeProtocol } from "./native-protocol.js";
import { type NamedSchema, outputOptions, outputTool, outputModeFor } from "./output-mode.js";
import type { Offer, ProviderRequest, ToolProtocol } from "./tool-protocol.js";

type Asked = Pick<
  ModelRequest,
  | "protocol"
  | "tools"
  | "providerTools"
  | "output"
  | "answerForm"
  | "options"
  | "sentBack"
  | "isCorrection"
  | "isRepair"
  | "call"
  | "callOf"
>;
type Missing = ReadonlySet<MissingCapability>;

/** Adapts a request and its messages to a model without these capabilities. */
export function providerRequest(
  request: Asked,
  messages: readonly BaseMessage[],
  missing: Missing,
): ProviderRequest {
  const { output, tools = [], options = {}, call, callOf } = request;
  const protocol = protocolFor(request, missing);
  const offer = { messages: withNotes(messages, missing), options, tools, call, callOf };
  const asked =
    output === undefined
      ? protocol.ask(offer, missing)
      : withSchema(protocol.ask({ ...offer, tools: [] }, missing), output, protocol, missing);
  const form = answerForm(request, protocol, missing);
  const usage = missing.has("no_stream_usage") ? { stream_options: null } : {};
  const { providerTools = [] } = request;
  const isOffered = providerTools.length > 0 && output === undefined && protocol.name === "native";
  return {
    ...asked,
    ...(isOffered ? { tools: joined(asked.tools)(providerTools) } : {}),
    messages: shapeMessages(asked.messages, missing),
    options: { ...asked.options, ...form, ...usage },
    hasAnswerForm: form !== undefined,
    protocol,
    ...temperatureOf(request, missing),
    mayAdapt: request.protocol === "auto",
    missing: new Set(missing),
  };
}

/** Where an earlier reply went back, the next one is asked for at temperature 0. */
function temperatureOf({ isCorrection, isRepair }: Asked, missing: Missing): { isAtZero?: true } {
  const isAgain = isCorrection === true || isRepair === true;
  return isAgain && !missing.has("no_temperature") ? { isAtZero: true } : {};
}

/** The options for an answer in a form: a JSON schema beside the tools, where the model takes both. */
function answerForm(
  { output, answerForm: form }: Asked,
  { name }: ToolProtocol,
  missing: Missing,
): Offer["options"] | undefined {
  const isTaken =
    name === "native" && !missing.has("no_json_schema") && !missing.has("no_answer_form");
  if (!isTaken || output !== undefined || form?.schema["type"] !== "object") return undefined;
  return outputOptions(form, "json_schema", missing);
}

/** JSON by choice; with "auto" also for a model that writes its calls as text, always or just now. */
function protocolFor({ protocol, sentBack }: Asked, missing: Missing): ToolProtocol {
  const isTurned = missing.has("json_calls") || sentBack?.isTurned === true;
  const isJson = protocol === "json" || (protocol === "auto" && isTurned);
  return isJson ? jsonProtocol : nativeProtocol;
}

/** Asks for an object in the most reliable mode that the model supports. */
function withSchema(
  offer: Offer,
  output: NamedSchema,
  { modes }: ToolProtocol,
  missing: Missing,
): Offer & Pick<ProviderRequest, "mode"> {
  const mode = outputModeFor(missing, modes);
  const tools = mode === "forced_tool" ? outputTools(output) : [];
  return {
    ...offer,
    tools,
    options: { ...offer.options, ...outputOptions(output, mode, missing) },
    mode,
  };
}

/** The same list for the same schema, so that it is bound to a model once. */
const outputTools = oncePerObject((output: NamedSchema): readonly BindToolsInput[] => [
  outputTool(output),
]);

/** The same list for the same tools, so that it is bound to a model once. */
const joined = oncePerObject((tools: readonly BindToolsInput[]) =>
  oncePerObject((more: readonly BindToolsInput[]): readonly BindToolsInput[] => [
    ...tools,
    ...more,
  ]),
);
