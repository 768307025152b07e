import type { BaseMessage } from "@langchain/core/messages";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";

import { callIds, completeReply, type CompleteReply, delayOf } from "./complete-reply.js";
import { tokensIn } from "./estimate-tokens.js";
import { describe, Script } from "./script.js";
import type {
  ModelAnswer,
  ModelAnswerFunction,
  ModelReply,
  ParsedOptions,
  ScriptedCall,
} from "./scripted-call.js";
import { pause, untilAborted } from "./until-aborted.js";

/** The script of a model, and the record of what was asked of it. */
export class ModelScript {
  readonly #script: Script<ModelReply>;
  readonly #calls: ScriptedCall[] = [];
  readonly #nextCallId = callIds();
  readonly #delayMs: number;

  constructor(replies: readonly ModelReply[] | ModelAnswerFunction, delayMs: number) {
    this.#script =
      typeof replies === "function" ? new Script<ModelReply>([], replies) : new Script(replies);
    this.#delayMs = delayMs;
  }

  get calls(): readonly ScriptedCall[] {
    return this.#calls;
  }

  assertExhausted(): void {
    this.#script.assertExhausted();
  }

  /** Records a call and gives its reply, or throws the scripted error. */
  async answer(
    messages: readonly BaseMessage[],
    { tools = [], ...options }: ParsedOptions,
    streamed: boolean,
  ): Promise<CompleteReply> {
    const { signal } = options;
    signal?.throwIfAborted();
    const definitions = tools.map((tool) => convertToOpenAITool(tool));
    const call = {
      messages: [...messages],
      tools: definitions,
      options,
      streamed,
    };
    this.#calls.push(call);
    const entry = this.#script.take(describe(messages.at(-1)?.text));
    const answer = typeof entry === "function" ? await this.#decide(entry, call) : entry;
    if (answer instanceof Error) {
      await pause(this.#delayMs, signal);
      throw answer;
    }
    await pause(delayOf(answer) ?? this.#delayMs, signal);
    const inputTokens = tokensIn(messages.map(({ text }) => text).join(""));
    return completeReply(answer, { inputTokens, nextCallId: this.#nextCallId });
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
