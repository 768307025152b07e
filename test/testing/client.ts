import type { AIMessageChunk } from "@langchain/core/messages";
import { concat } from "@langchain/core/utils/stream";
import { ChatOpenAI } from "@langchain/openai";
import { onTestFinished } from "vitest";

import {
  type ScriptedServer,
  type ScriptedServerOptions,
  startScriptedServer,
} from "../../src/testing/index.js";

/** A scripted server that is closed when the test ends. */
export async function serve(options: ScriptedServerOptions): Promise<ScriptedServer> {
  const server = await startScriptedServer(options);
  onTestFinished(() => server.close());
  return server;
}

/** The real client, which tries once. */
export function client(
  { url }: ScriptedServer,
  options: {
    readonly timeout?: number;
    readonly streamUsage?: boolean;
    readonly streaming?: boolean;
  } = {},
): ChatOpenAI {
  const configuration = { baseURL: url };
  return new ChatOpenAI({
    model: "any",
    apiKey: "key",
    maxRetries: 0,
    configuration,
    ...options,
  });
}

/** All chunks of a stream, and the message they add up to. */
export async function collect(stream: AsyncIterable<AIMessageChunk>) {
  const chunks: AIMessageChunk[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return { chunks, whole: chunks.reduce((left, right) => concat(left, right)) };
}

/** The two ways of asking that every reply is tested with. */
export const ways = [
  {
    way: "invoke",
    ask: (model: ChatOpenAI, question = "q") => model.invoke(question),
  },
  {
    way: "stream",
    ask: async (model: ChatOpenAI, question = "q") =>
      (await collect(await model.stream(question))).whole,
  },
];
