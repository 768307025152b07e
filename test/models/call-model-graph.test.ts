import { HumanMessage } from "@langchain/core/messages";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { expect, it, vi } from "vitest";

import { callModel } from "../../src/models/call-model.js";
import { fault, type ServerReply } from "../../src/testing/index.js";
import { modelRequest, specModel } from "../support/model-request.js";
import { serve } from "../testing/client.js";

/** A LangGraph graph of one node that asks the model. */
async function graphOf(replies: readonly ServerReply[], streamToUser = true) {
  const server = await serve({ replies });
  const model = await specModel(server);
  const ask = async ({ messages }: typeof MessagesAnnotation.State, config: object) => {
    const reply = await callModel(
      modelRequest([model], { messages, config, streamToUser }).request,
    );
    // What a node writes into `messages` is streamed as chat too.
    return { messages: reply.kind === "replied" && streamToUser ? [reply.message] : [] };
  };
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("ask", ask)
    .addEdge(START, "ask")
    .addEdge("ask", END)
    .compile();
  return { server, graph };
}

const input = { messages: [new HumanMessage("q")] };
const call = { name: "remove", args: { path: "/data/images" } };

it.each([
  { streamToUser: true, chat: "the answer" },
  { streamToUser: false, chat: "" },
])(
  "streams $chat as chat when the reply is for the user: $streamToUser",
  async ({ streamToUser, chat }) => {
    const { graph, server } = await graphOf(["the answer"], streamToUser);
    const texts: string[] = [];
    for await (const [message] of await graph.stream(input, { streamMode: "messages" })) {
      texts.push(message.text);
    }
    expect(texts.join("")).toBe(chat);
    expect(server.requests[0]?.body?.stream).toBe(true);
  },
);

it.each([
  { name: "a cut call", answer: fault.cutArguments(call) },
  { name: "a malformed call", answer: fault.malformedArguments('{"path":"/data/im', "remove") },
])("lets no call through that LangChain made of $name while it streamed", async ({ answer }) => {
  const { graph, server } = await graphOf([answer, { toolCalls: [call] }]);
  const chunks = await graph.stream(input, { streamMode: ["messages", "values"] });
  let last: unknown;
  for await (const [mode, chunk] of chunks) last = mode === "values" ? chunk : last;
  expect(last).toMatchObject({ messages: [{}, { tool_calls: [{ args: call.args }] }] });
  expect(server.requests).toHaveLength(2);
});

it.each([
  { name: "an answer", replies: ["the answer"], requests: 1 },
  { name: "a cut call", replies: [fault.cutArguments(call), "the answer"], requests: 2 },
  {
    name: "a broken stream",
    replies: [fault.brokenStream("the answer"), "the answer"],
    requests: 2,
  },
])("reads $name in LangGraph's v3 stream", async ({ replies, requests }) => {
  const printed = vi.spyOn(console, "warn").mockReturnValue();
  const { graph, server } = await graphOf(replies);
  const run = await graph.streamEvents(input, { version: "v3" });
  const { messages } = await run.output;
  expect(messages.at(-1)).toMatchObject({ content: "the answer" });
  expect(server.requests.map(({ body }) => body?.stream)).toEqual(Array(requests).fill(true));
  printed.mockRestore();
});
