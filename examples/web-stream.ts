// A run streamed into a web response: to the AI SDK's `useChat`, and as plain Server-Sent Events. A client
// that goes away calls the run off.
// Run it: npx tsx examples/web-stream.ts
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { json } from "node:stream/consumers";

import { toBaseMessages, toUIMessageStream } from "@ai-sdk/langchain";
import { DefaultChatTransport, pipeUIMessageStreamToResponse, validateUIMessages } from "ai";
import { type AgentEvent, calculator, createReactGraph } from "plangraph";
import { scriptedModel } from "plangraph/testing";
import { z } from "zod";

const chat = createReactGraph({ models: "offline", tools: [calculator] });
const slow = createReactGraph({ models: scriptedModel(["Too late."], { delayMs: 60_000 }) });

const Body = z.object({ messages: z.array(z.unknown()) });

/** Answers a POST of `useChat`: text, tool calls, and every event of the run as a data part. */
async function answerChat(request: IncomingMessage, response: ServerResponse, signal: AbortSignal) {
  const { messages } = Body.parse(await json(request));
  const input = { messages: await toBaseMessages(await validateUIMessages({ messages })) };
  const run = await chat.stream(input, { signal, streamMode: ["messages", "values", "custom"] });
  await pipeUIMessageStreamToResponse({ response, stream: toUIMessageStream(run) });
}

/** Answers a GET with the events of the run, as any browser's `EventSource` reads them. */
async function answerEvents(_: IncomingMessage, response: ServerResponse, signal: AbortSignal) {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const input = { messages: [{ role: "user" as const, content: "Hello?" }] };
  const run: AsyncIterable<AgentEvent> = await slow.stream(input, { signal, streamMode: "custom" });
  for await (const event of run) response.write(`data: ${JSON.stringify(event)}\n\n`);
  response.end();
}

const server = createServer((request, response) => {
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  const answer = request.method === "POST" ? answerChat : answerEvents;
  answer(request, response, gone.signal).catch((error: unknown) => {
    console.log("The run ended early:", String(error));
    response.destroy();
  });
}).listen(0, "127.0.0.1");
await once(server, "listening");
const bound = server.address();
const api = `http://127.0.0.1:${typeof bound === "object" ? bound?.port : bound}`;

// What `useChat` does in a browser.
const stream = await new DefaultChatTransport({ api }).sendMessages({
  chatId: "1",
  messages: [{ id: "1", role: "user", parts: [{ type: "text", text: "What is 6 * 7?" }] }],
  messageId: undefined,
  trigger: "submit-message",
  abortSignal: undefined,
});
for await (const part of stream) {
  if (part.type === "data-tool_started") console.log(part.type);
  if (part.type === "tool-input-available") console.log(part.type, part.toolName, part.input);
  if (part.type === "tool-output-available") console.log(part.type, part.output);
  if (part.type === "text-delta") console.log(part.type, part.delta);
}

const { body } = await fetch(api);
const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
console.log((await reader?.read())?.value?.slice(0, 44));
await reader?.cancel();
server.close();

/* prints:
tool-input-available calculator { expression: '6 * 7' }
data-tool_started
tool-output-available 42
text-delta The
text-delta  result
text-delta  is
text-delta  42.
data: {"type":"run_started","graph":"react",
The run ended early: AbortError: This operation was aborted
*/
