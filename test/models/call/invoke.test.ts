import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { CallbackManager } from "@langchain/core/callbacks/manager";
import { SimpleChatModel } from "@langchain/core/language_models/chat_models";
import { HumanMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { ChatOpenAI } from "@langchain/openai";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";

import { callModel } from "../../../src/models/call-model.js";
import { invokeModel } from "../../../src/models/call/invoke.js";
import { openModel } from "../../../src/models/open-model.js";
import type { ProviderRequest } from "../../../src/models/provider/tool-protocol.js";
import { nativeProtocol } from "../../../src/models/provider/native-protocol.js";
import { fault, scriptedModel } from "../../../src/testing/index.js";
import {
  BlockListener,
  modelRequest,
  specModel,
  StreamListener,
  testKey,
} from "../../support/model-request.js";
import { modelCall } from "../../support/model-call.js";
import { serve } from "../../testing/client.js";

const question: ProviderRequest = {
  messages: [new HumanMessage("q")],
  tools: [],
  options: {},
  protocol: nativeProtocol,
  mayAdapt: false,
  hasAnswerForm: false,
  missing: new Set(),
};

const managed = (listener: StreamListener) => {
  const manager = new CallbackManager();
  manager.addHandler(listener, true);
  return manager;
};

describe("a streamed reply", () => {
  it.each([
    { name: "a list of handlers", callbacks: (listener: StreamListener) => [listener] },
    { name: "LangGraph's callback manager", callbacks: managed },
  ])("says how it ended, heard through $name", async ({ callbacks }) => {
    const server = await serve({ replies: ["hello"] });
    const listener = new StreamListener();
    const model = await specModel(server);
    const { call } = modelCall(model, { config: { callbacks: callbacks(listener) } });
    const reply = await invokeModel(call, question);
    expect(reply.response_metadata).toMatchObject({ finish_reason: "stop" });
    expect(listener.tokens.join("")).toBe("hello");
    expect(server.requests[0]?.body?.stream).toBe(true);
  });

  it.each([
    { name: "streams by itself", fields: { streaming: true } },
    { name: "has a listener of its own", fields: { callbacks: [new StreamListener()] } },
  ])("of an instance that $name is complete too", async ({ fields }) => {
    const server = await serve({ replies: ["hello"] });
    const configuration = { baseURL: server.url };
    const instance = new ChatOpenAI({ model: "x", apiKey: testKey, configuration, ...fields });
    const { request } = modelRequest([await openModel(instance, {})]);
    expect(await callModel(request)).toMatchObject({
      kind: "replied",
      message: { content: "hello", response_metadata: { finish_reason: "stop" } },
    });
    expect(server.requests[0]?.body?.stream).toBe(true);
  });

  it.each([
    { name: "chat", listener: () => new StreamListener() },
    { name: "blocks", listener: () => new BlockListener() },
  ])("of $name that ends early with the connection is asked for again", async ({ listener }) => {
    const chunk = { id: "1", object: "chat.completion.chunk", created: 0, model: "x" };
    const choice = { index: 0, delta: { role: "assistant", content: "half an ans" } };
    let requests = 0;
    const server = createServer((_, response) => {
      requests += 1;
      const finish_reason = requests === 1 ? null : "stop";
      const choices = [{ ...choice, finish_reason }];
      response.writeHead(200, { "content-type": "text/event-stream", connection: "close" });
      response.end(`data: ${JSON.stringify({ ...chunk, choices })}\n\n`);
    });
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    onTestFinished(() => {
      server.close();
    });
    const address: AddressInfo | string | null = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const model = await openModel("openai:x", {
      OPENAI_API_KEY: testKey,
      OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
    });
    const { request, sleeps } = modelRequest([model], {
      config: { callbacks: [listener()] },
    });
    expect(await callModel(request)).toMatchObject({ kind: "replied" });
    expect(sleeps).toHaveLength(1);
    expect(requests).toBe(2);
  });
});

it("does not stream where nobody listens", async () => {
  const server = await serve({ replies: ["hello"] });
  await callModel(modelRequest([await specModel(server)]).request);
  expect(server.requests[0]?.body?.stream).not.toBe(true);
});

it("leaves no clock running when a call is called off", async () => {
  const server = await serve({ replies: [fault.slow("a slow answer that goes on and on", 10)] });
  const controller = new AbortController();
  const model = await specModel(server);
  const config = { callbacks: [new StreamListener()] };
  const { call } = modelCall(model, { idleMs: 60_000, config });
  const reply = invokeModel({ ...call, signal: controller.signal }, question);
  setTimeout(() => controller.abort(), 50);
  await expect(reply).rejects.toThrow(/abort/i);
  await new Promise((resolve) => {
    setTimeout(resolve, 50);
  });
  expect(process.getActiveResourcesInfo().filter((each) => each === "Timeout").length).toBeLessThan(
    3,
  );
});

/** A client that passes its signal on to nobody, and never answers. */
class DeafModel extends SimpleChatModel {
  override _llmType() {
    return "deaf";
  }

  override _call(): Promise<string> {
    return new Promise(() => {});
  }
}

it.each([
  { name: "its caller calls it off", abortMs: 20, idleMs: 60_000, error: "called off" },
  { name: "no sign of life comes", abortMs: 60_000, idleMs: 20, error: "no answer within 0.02 s" },
])("does not wait for a model that hears no signal when $name", async (given) => {
  const { abortMs, idleMs, error } = given;
  const controller = new AbortController();
  const model = await openModel(new DeafModel({}), {});
  const { call } = modelCall(model, { idleMs });
  const reply = invokeModel({ ...call, signal: controller.signal }, question);
  const timer = setTimeout(() => controller.abort(new Error("called off")), abortMs);
  await expect(reply).rejects.toThrow(error);
  clearTimeout(timer);
});

const search = tool(() => "found", {
  name: "search",
  description: "Searches.",
  schema: z.object({ query: z.string() }),
});

it("sends the tools, and the options, with the request", async () => {
  const server = await serve({ replies: ["ok", "ok"] });
  const options = { tool_choice: "none" };
  const model = await specModel(server);
  await callModel(modelRequest([model], { tools: [search], options }).request);
  await callModel(modelRequest([model]).request);
  expect(server.requests[0]?.body).toMatchObject({
    tools: [{ function: { name: "search", parameters: { required: ["query"] } } }],
    tool_choice: "none",
  });
  expect(server.requests[1]?.body).not.toHaveProperty("tools");
});

it("binds tools anew when they change", async () => {
  const model = scriptedModel(["one", "two", "none"]);
  const handle = await openModel(model, {});
  const other = tool(() => "", { name: "other", description: "x", schema: z.object({}) });
  for (const tools of [[search], [search, other], []]) {
    await callModel(modelRequest([handle], { tools }).request);
  }
  const names = model.calls.map(({ tools }) => tools.map((each) => each.function.name));
  expect(names).toEqual([["search"], ["search", "other"], []]);
});
