import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import type {
  BaseLanguageModelInput,
  StructuredOutputMethodOptions,
  ToolDefinition,
} from "@langchain/core/language_models/base";
import {
  BaseChatModel,
  type BaseChatModelCallOptions,
  type BindToolsInput,
} from "@langchain/core/language_models/chat_models";
import {
  assembleStructuredOutputPipeline,
  createContentParser,
  createFunctionCallingParser,
} from "@langchain/core/language_models/structured_output";
import {
  AIMessage,
  AIMessageChunk,
  type AIMessageChunkFields,
  type BaseMessage,
  type StandardMessageStructure,
  type UsageMetadata,
} from "@langchain/core/messages";
import type { InvalidToolCall, ToolCall, ToolCallChunk } from "@langchain/core/messages/tool";
import type { BaseLLMOutputParser } from "@langchain/core/output_parsers";
import { ChatGenerationChunk, type ChatResult } from "@langchain/core/outputs";
import type { Runnable } from "@langchain/core/runnables";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { toJsonSchema } from "@langchain/core/utils/json_schema";
import type { SerializableSchema } from "@langchain/core/utils/standard_schema";
import type { InteropZodType } from "@langchain/core/utils/types";

import { tokensIn } from "./chat-request.js";
import {
  callIds,
  type CompleteCall,
  completeReply,
  type CompleteReply,
  delayOf,
  type ScriptedReply,
  type ScriptedUsage,
  splitText,
} from "./reply.js";
import { describe, Script } from "./script.js";
import { pause, untilAborted } from "./until-aborted.js";

/** The call options of the scripted model: LangChain's, and those of the OpenAI client that tests read. */
export interface ScriptedCallOptions extends BaseChatModelCallOptions {
  tools?: BindToolsInput[];
  response_format?: unknown;
  parallel_tool_calls?: boolean;
  strict?: boolean;
}

/** Call options without the parts of a runnable's config, as LangChain passes them to a model. */
type ParsedOptions = BaseChatModel<ScriptedCallOptions>["ParsedCallOptions"];

/** One recorded call of a scripted model. */
export type ScriptedCall = {
  readonly messages: readonly BaseMessage[];
  /** The tools bound for the call, in the providers' form. */
  readonly tools: readonly ToolDefinition[];
  /** All other call options: `tool_choice`, `response_format`, `stop`, `signal`, … */
  readonly options: Readonly<Omit<ParsedOptions, "tools">>;
  /** Whether the reply was streamed. */
  readonly streamed: boolean;
};

/** One answer of a scripted model: a text, a reply, or an error to throw. */
export type ModelAnswer = string | ScriptedReply | Error;

/**
 * Computes an answer at the time of the call. An error that it throws is a failed assertion: it is thrown to the caller
 * and again by `assertExhausted`. To script a failing model, return the error.
 */
export type ModelAnswerFunction = (
  messages: readonly BaseMessage[],
  options: ScriptedCall["options"] & Pick<ScriptedCall, "tools">,
) => ModelAnswer | Promise<ModelAnswer>;

/** An entry of a model's script. */
export type ModelReply = ModelAnswer | ModelAnswerFunction;

/** Settings of a scripted model. */
export type ScriptedModelOptions = {
  /** Reported as `model_name`. Default: `scripted-model`. */
  readonly model?: string;
  /** The delay before each answer starts, unless the reply sets its own, in milliseconds. Default: 0. */
  readonly delayMs?: number;
};

type WithRaw<Output> = { raw: BaseMessage; parsed: Output };

/** A chat model that follows a script. Made by {@link scriptedModel}. */
export class ScriptedModel extends BaseChatModel<ScriptedCallOptions> {
  readonly model: string;
  readonly #script: Script<ModelReply>;
  readonly #calls: ScriptedCall[] = [];
  readonly #nextCallId = callIds();
  readonly #delayMs: number;

  constructor(
    replies: readonly ModelReply[] | ModelAnswerFunction,
    { model = "scripted-model", delayMs = 0 }: ScriptedModelOptions = {},
  ) {
    super({});
    this.model = model;
    this.#script =
      typeof replies === "function" ? new Script<ModelReply>([], replies) : new Script(replies);
    this.#delayMs = delayMs;
  }

  /** All calls so far, in order, including those without a reply in the script. */
  get calls(): readonly ScriptedCall[] {
    return this.#calls;
  }

  /** Throws if replies are left over, a call came after the end of the script or a reply function threw. */
  assertExhausted(): void {
    this.#script.assertExhausted();
  }

  /** Calls `assertExhausted` at the end of a block that declares the model with `using`. */
  [Symbol.dispose](): void {
    this.assertExhausted();
  }

  override _llmType(): string {
    return "scripted";
  }

  override getLsParams(options: this["ParsedCallOptions"]) {
    return { ...super.getLsParams(options), ls_provider: "scripted", ls_model_name: this.model };
  }

  /** A view of this model with tools: same script, same recorded calls. */
  override bindTools(
    tools: BindToolsInput[],
    kwargs?: Partial<ScriptedCallOptions>,
  ): Runnable<BaseLanguageModelInput, AIMessageChunk, ScriptedCallOptions> {
    return this.withConfig({ ...kwargs, tools });
  }

  /**
   * A view of this model that returns parsed and validated objects: same script, same recorded calls. It forces a call
   * of the tool named after the schema (`extract` without a name) unless the method is `jsonSchema` or `jsonMode`. As
   * with the OpenAI client, a reply without that call is `undefined`.
   */
  override withStructuredOutput<Output extends Record<string, unknown>>(
    schema: OutputSchema<Output>,
    config?: StructuredOutputMethodOptions,
  ): Runnable<BaseLanguageModelInput, Output>;
  override withStructuredOutput<Output extends Record<string, unknown>>(
    schema: OutputSchema<Output>,
    config?: StructuredOutputMethodOptions<true>,
  ): Runnable<BaseLanguageModelInput, WithRaw<Output>>;
  override withStructuredOutput<Output extends Record<string, unknown>>(
    schema: OutputSchema<Output>,
    config?: StructuredOutputMethodOptions<boolean>,
  ): Runnable<BaseLanguageModelInput, Output> | Runnable<BaseLanguageModelInput, WithRaw<Output>> {
    const { options, parser } = structuredRequest(schema, config);
    return assembleStructuredOutputPipeline(this.withConfig(options), parser, config?.includeRaw);
  }

  override async _generate(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
  ): Promise<ChatResult> {
    const reply = await this.#answer(messages, options, false);
    const message = replyMessage(reply, this.model);
    return { generations: [{ text: reply.text, message }], llmOutput: tokenUsage(reply.usage) };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const reply = await this.#answer(messages, options, true);
    for (const message of replyChunks(reply, this.model)) {
      options.signal?.throwIfAborted();
      const chunk = new ChatGenerationChunk({ message, text: message.text });
      yield chunk;
      const index = { prompt: 0, completion: 0 };
      const none = undefined;
      await runManager?.handleLLMNewToken(chunk.text, index, none, none, none, { chunk });
    }
  }

  /** Records a call and returns its reply, or throws the scripted error. */
  async #answer(
    messages: readonly BaseMessage[],
    { tools = [], ...options }: ParsedOptions,
    streamed: boolean,
  ): Promise<CompleteReply> {
    const { signal } = options;
    signal?.throwIfAborted();
    const definitions = tools.map((tool) => convertToOpenAITool(tool));
    const call = { messages: [...messages], tools: definitions, options, streamed };
    this.#calls.push(call);
    const entry = this.#script.take(describe(messages.at(-1)?.text));
    const answer = typeof entry === "function" ? await this.#decide(entry, call) : entry;
    if (answer instanceof Error) {
      await pause(this.#delayMs, signal);
      throw answer;
    }
    await pause(delayOf(answer) ?? this.#delayMs, signal);
    const inputTokens = tokensIn(messages.map(({ text }) => text).join(""));
    return completeReply(answer, inputTokens, this.#nextCallId);
  }

  async #decide(entry: ModelAnswerFunction, call: ScriptedCall): Promise<ModelAnswer> {
    const { messages, options, tools } = call;
    try {
      return await untilAborted(entry(messages, { ...options, tools }), options.signal);
    } catch (error) {
      throw options.signal?.aborted === true ? error : this.#script.fail(error);
    }
  }
}

/**
 * A chat model that answers from a script, for tests without a network.
 *
 * More than LangChain's `fakeModel`: replies are complete (usage, finish reason, reasoning, malformed tool calls),
 * left-over replies and calls after the end of the script fail the test, streaming sends several chunks with tool calls
 * in pieces, abort signals are honoured, requests are recorded (tools, `tool_choice`, `response_format`), and
 * `withStructuredOutput` uses the script like every other call.
 *
 * A malformed tool call behaves as it does with LangChain's OpenAI client: `invoke` lists it under
 * `invalid_tool_calls`, while streaming repairs cut JSON into a call that looks valid.
 *
 * @param replies One entry per call, in order; or one function that answers every call.
 * @throws {ScriptError} From the model, on a call after the end of the script.
 * @example
 * ```ts
 * const model = scriptedModel([
 *   { toolCalls: [{ name: "add", args: { a: 2, b: 3 } }] },
 *   (messages) => `The sum is ${messages.at(-1)?.text}.`,
 * ]);
 * const agent = createAgent({ model, tools: [add] });
 * await agent.invoke({ messages: [{ role: "user", content: "2 + 3?" }] });
 * model.assertExhausted();
 * ```
 */
export function scriptedModel(
  replies: readonly ModelReply[] | ModelAnswerFunction,
  options: ScriptedModelOptions = {},
): ScriptedModel {
  return new ScriptedModel(replies, options);
}

/** A schema for structured output: zod, any standard schema, or JSON Schema. */
type OutputSchema<Output> =
  InteropZodType<Output> | SerializableSchema<Output> | Record<string, unknown>;

/** The options of a structured-output request, and the parser of its reply. Asks as the OpenAI client does: with a forced tool call unless the method says otherwise. */
function structuredRequest<Output extends Record<string, unknown>>(
  schema: OutputSchema<Output>,
  config: StructuredOutputMethodOptions<boolean> = {},
): { options: Partial<ScriptedCallOptions>; parser: BaseLLMOutputParser<Output> } {
  const parameters: Record<string, unknown> = toJsonSchema(schema);
  const { title, description } = parameters;
  const name = config.name ?? (typeof title === "string" ? title : "extract");
  if (config.method === "jsonMode") {
    const options = { response_format: { type: "json_object" } };
    return { options, parser: createContentParser<Output>(schema) };
  }
  if (config.method === "jsonSchema") {
    const json_schema = { name, schema: parameters };
    const options = { response_format: { type: "json_schema", json_schema } };
    return { options, parser: createContentParser<Output>(schema) };
  }
  const options = {
    tools: [{ type: "function", function: { name, description, parameters } }],
    tool_choice: { type: "function", function: { name } },
  };
  return { options, parser: createFunctionCallingParser<Output>(schema, name) };
}

function usageMetadata(usage: ScriptedUsage): UsageMetadata {
  const { input, output, cached, reasoning } = usage;
  return {
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output,
    ...(cached === undefined ? {} : { input_token_details: { cache_read: cached } }),
    ...(reasoning === undefined ? {} : { output_token_details: { reasoning } }),
  };
}

/** The usage in the form for callback handlers. */
function tokenUsage(usage: ScriptedUsage | null): Record<string, unknown> {
  if (!usage) return {};
  const { input: promptTokens, output: completionTokens } = usage;
  const totalTokens = promptTokens + completionTokens;
  return { tokenUsage: { promptTokens, completionTokens, totalTokens } };
}

const validCall = ({ id, name, args }: CompleteCall): ToolCall[] =>
  args ? [{ type: "tool_call", id, name, args: { ...args } }] : [];

const invalidCall = ({ id, name, text, args }: CompleteCall): InvalidToolCall[] =>
  args ? [] : [{ type: "invalid_tool_call", id, name, args: text, error: "Malformed args." }];

// Without a structure type the compiler takes `usage_metadata` for `undefined` (exactOptionalPropertyTypes).
type Structure = StandardMessageStructure;

/** The message that a model returns for a reply. */
function replyMessage(reply: CompleteReply, model: string): AIMessage {
  const { text, reasoning, refusal, calls, usage, finishReason, id } = reply;
  return new AIMessage<Structure>({
    content: text,
    tool_calls: calls.flatMap(validCall),
    invalid_tool_calls: calls.flatMap(invalidCall),
    additional_kwargs: {
      ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
      ...(refusal === "" ? {} : { refusal }),
    },
    response_metadata: { finish_reason: finishReason, model_name: model },
    ...(usage ? { usage_metadata: usageMetadata(usage) } : {}),
    ...(id === undefined ? {} : { id }),
  });
}

function callChunks({ id, name, text }: CompleteCall, index: number): ToolCallChunk[] {
  const pieces = splitText(text).map((args): ToolCallChunk => ({
    type: "tool_call_chunk",
    index,
    args,
  }));
  return [{ type: "tool_call_chunk", index, id, name, args: "" }, ...pieces];
}

const chunk = (fields: AIMessageChunkFields<Structure>): AIMessageChunk =>
  new AIMessageChunk<Structure>({ content: "", ...fields });

/** The chunks that a model streams for a reply: reasoning, text, tool calls, end, usage. */
function replyChunks(reply: CompleteReply, model: string): AIMessageChunk[] {
  const { pieces, reasoning, refusal, calls, usage, finishReason, id } = reply;
  const end = { finish_reason: finishReason, model_name: model };
  const chunks = [
    ...splitText(reasoning).map((text) =>
      chunk({ additional_kwargs: { reasoning_content: text } }),
    ),
    ...pieces.map((content) => chunk({ content })),
    ...splitText(refusal).map((text) => chunk({ additional_kwargs: { refusal: text } })),
    ...calls.flatMap(callChunks).map((part) => chunk({ tool_call_chunks: [part] })),
    chunk({ response_metadata: end }),
    ...(usage ? [chunk({ usage_metadata: usageMetadata(usage) })] : []),
  ];
  if (id !== undefined) for (const part of chunks) part.id = id;
  return chunks;
}
