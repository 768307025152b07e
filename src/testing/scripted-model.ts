import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import type {
  BaseLanguageModelInput,
  StructuredOutputMethodOptions,
} from "@langchain/core/language_models/base";
import { BaseChatModel, type BindToolsInput } from "@langchain/core/language_models/chat_models";
import { assembleStructuredOutputPipeline } from "@langchain/core/language_models/structured_output";
import type { AIMessageChunk, BaseMessage } from "@langchain/core/messages";
import { ChatGenerationChunk, type ChatResult } from "@langchain/core/outputs";
import type { Runnable } from "@langchain/core/runnables";

import { ModelScript } from "./model-script.js";
import { replyChunks, replyMessage, tokenUsage } from "./reply-message.js";
import type {
  ModelAnswerFunction,
  ModelReply,
  ScriptedCall,
  ScriptedCallOptions,
  ScriptedModelOptions,
} from "./scripted-call.js";
import { type OutputSchema, structuredRequest } from "./structured-request.js";

type WithRaw<Output> = { raw: BaseMessage; parsed: Output };

/** A chat model that follows a script. Made by {@link scriptedModel}. */
export class ScriptedModel extends BaseChatModel<ScriptedCallOptions> {
  readonly model: string;
  readonly #script: ModelScript;

  constructor(
    replies: readonly ModelReply[] | ModelAnswerFunction,
    { model = "scripted-model", delayMs = 0 }: ScriptedModelOptions = {},
  ) {
    super({});
    this.model = model;
    this.#script = new ModelScript(replies, delayMs);
  }

  /** Every call so far, in order, also those the script had no reply for. */
  get calls(): readonly ScriptedCall[] {
    return this.#script.calls;
  }

  /** Throws when replies are left over, when a call came beyond the script or when a reply function threw. */
  assertExhausted(): void {
    this.#script.assertExhausted();
  }

  /** The same as `assertExhausted`, at the end of a block that declares the model with `using`. */
  [Symbol.dispose](): void {
    this.assertExhausted();
  }

  override _llmType(): string {
    return "scripted";
  }

  override getLsParams(options: this["ParsedCallOptions"]) {
    return {
      ...super.getLsParams(options),
      ls_provider: "scripted",
      ls_model_name: this.model,
    };
  }

  /** A view of this model with tools: same script, same record. */
  override bindTools(
    tools: BindToolsInput[],
    kwargs?: Partial<ScriptedCallOptions>,
  ): Runnable<BaseLanguageModelInput, AIMessageChunk, ScriptedCallOptions> {
    return this.withConfig({ ...kwargs, tools });
  }

  /**
   * A view of this model that returns parsed and validated objects: same script, same record. Asks by
   * a forced call of the tool named after the schema (`extract` without a name) unless the method is
   * `jsonSchema` or `jsonMode`. As with the OpenAI client, a reply without that call is `undefined`.
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
    const reply = await this.#script.answer(messages, options, false);
    const message = replyMessage(reply, this.model);
    return {
      generations: [{ text: reply.text, message }],
      llmOutput: tokenUsage(reply.usage),
    };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const reply = await this.#script.answer(messages, options, true);
    for (const message of replyChunks(reply, this.model)) {
      options.signal?.throwIfAborted();
      const chunk = new ChatGenerationChunk({ message, text: message.text });
      yield chunk;
      const index = { prompt: 0, completion: 0 };
      const none = undefined;
      await runManager?.handleLLMNewToken(chunk.text, index, none, none, none, { chunk });
    }
  }
}

/**
 * A chat model that answers from a script, for tests without a network.
 *
 * Beside LangChain's `fakeModel`: replies are whole (usage, finish reason, reasoning, malformed tool
 * calls), left-over replies and calls beyond the script fail the test, streaming sends several chunks
 * with tool calls in pieces, abort signals are honoured, what was asked (tools, `tool_choice`,
 * `response_format`) is on record, and `withStructuredOutput` reads the script as every other call.
 *
 * A malformed tool call behaves as it does with LangChain's OpenAI client: `invoke` lists it under
 * `invalid_tool_calls`, while streaming repairs cut JSON into a call that looks valid.
 *
 * @param replies One entry a call, in order; or one function that answers every call.
 * @throws {ScriptError} From the model, on a call beyond the script.
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
