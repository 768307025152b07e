import { MemorySaver } from "@langchain/langgraph";
import { SpanKind } from "@opentelemetry/api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import {
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";
import { contentSchemas } from "../support/genai-schemas.js";
import { ask, question } from "../support/middleware.js";
import { finishWith, planText, stepOf } from "../support/plans.js";
import { respondWith, taskPlanText } from "../support/task-plans.js";
import { followContext, spanLines, telemetry } from "../support/telemetry.js";

const call = (item: string) => ({ toolCalls: [{ name: "price", args: { item } }] });
const read = (value: unknown): unknown => JSON.parse(String(value));

let stopFollowing = () => {};
beforeAll(() => {
  stopFollowing = followContext();
});
afterAll(() => {
  stopFollowing();
});

/** The graphs, what their models say, and the spans of the run. */
const graphs = [
  {
    name: "react",
    create: createReactGraph,
    replies: [call("tea"), "3 euros."],
    lines: [
      "invoke_agent react",
      "  chat scripted-model",
      "  execute_tool price",
      "  chat scripted-model",
    ],
  },
  {
    name: "rewoo",
    create: createRewooGraph,
    replies: [
      planText(stepOf("price", "tea"), { tool: "llm", args: { prompt: "Double {{E1}}" } }),
      "Six.",
      "It is six.",
    ],
    lines: [
      "invoke_agent rewoo",
      "  plan",
      "    chat scripted-model",
      "  execute_tool price",
      "  execute_tool llm",
      "    chat scripted-model",
      "  chat scripted-model",
    ],
  },
  {
    name: "llm-compiler",
    create: createLlmCompilerGraph,
    replies: [planText(stepOf("price", "tea")), finishWith("3 euros.")],
    lines: [
      "invoke_agent llm-compiler",
      "  plan",
      "    chat scripted-model",
      "  execute_tool price",
      "  chat scripted-model",
    ],
  },
  {
    name: "plan-execute",
    create: createPlanExecuteGraph,
    replies: [
      taskPlanText({ task: "Price tea." }),
      call("tea"),
      "3 euros.",
      respondWith("3 euros."),
    ],
    lines: [
      "invoke_agent plan-execute",
      "  plan",
      "    chat scripted-model",
      "  execute_tool executor",
      "    invoke_agent react",
      "      chat scripted-model",
      "      execute_tool price",
      "      chat scripted-model",
      "  plan",
      "    chat scripted-model",
    ],
  },
];

describe.each(graphs)("a run of $name", ({ create, replies, lines }) => {
  const { tools } = countingTools("price");

  it("is a tree of spans, under the caller's own", async () => {
    const { observer, tracer, spans } = telemetry();
    const graph = create({ models: scriptedModel([...replies]), tools, observers: [observer] });
    await tracer.startActiveSpan("request", async (span) => {
      await graph.invoke(question);
      span.end();
    });
    expect(spanLines(spans())).toEqual(["request", ...lines.map((line) => `  ${line}`)]);
    expect(new Set(spans().map((span) => span.spanContext().traceId)).size).toBe(1);
  });

  it("has no content in its spans, unless it is asked for", async () => {
    const phone = "+49 170 1234567";
    const run = async (content: boolean) => {
      const { observer, spans } = telemetry({ content });
      const models = scriptedModel([...replies]);
      const graph = create({ models, tools, observers: [observer] });
      await graph.invoke(ask(`What does tea cost? ${phone}`));
      return JSON.stringify(
        spans().map(({ name, attributes, events, status }) => [name, attributes, events, status]),
      );
    };
    const bare = await run(false);
    for (const word of [phone, "tea", "euros", "Price", "Double"]) expect(bare).not.toContain(word);
    expect(await run(true)).toContain(phone);
  });
});

describe("content", () => {
  const replies = {
    native: [call("tea"), { reasoning: "Three.", text: "3 euros." }],
    // A text beside the call, an empty reply that goes back, and a tool that is not there.
    untidy: [
      { ...call("tea"), text: "Let me look." },
      { toolCalls: [{ name: "stock", args: {} }] },
      "",
      "3 euros.",
    ],
  };
  const picture = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };

  it.each([
    ["native", "native", replies.native],
    ["untidy", "native", replies.untidy],
    ["json", "json", ['{"tool": "price", "args": {"item": "tea"}}', '{"answer": "3 euros."}']],
  ] as const)("%s has the form of the published schemas", async (_, protocol, script) => {
    const { observer, spans } = telemetry({ content: true });
    const { tools } = countingTools("price");
    const models = scriptedModel([...script, "3 euros.", "3 euros."]);
    const graph = createReactGraph({ models, tools, protocol, observers: [observer] });
    await graph.invoke({
      messages: [{ role: "user", content: [{ type: "text", text: "What is this?" }, picture] }],
    });
    const seen = spans().flatMap(({ attributes }) => Object.entries(attributes));
    const contents = seen.filter(([name]) => contentSchemas.has(name));
    expect(contents.length).toBeGreaterThan(3);
    for (const [name, value] of contents)
      expect(contentSchemas.get(name)?.safeParse(read(value)).error?.issues ?? []).toEqual([]);
  });
});

describe("the attributes of spans", () => {
  async function spansOfRun(content: boolean) {
    const { observer, spans } = telemetry({ content });
    const { tools } = countingTools("price");
    const models = scriptedModel([call("tea"), "3 euros."]);
    const graph = createReactGraph({
      models,
      tools,
      systemPrompt: "You sell tea.",
      observers: [observer],
      checkpointer: new MemorySaver(),
    });
    await graph.invoke(question, { configurable: { thread_id: "t-1" } });
    const named = (name: string) => spans().filter((span) => span.name === name);
    return {
      run: named("invoke_agent react"),
      chats: named("chat scripted-model"),
      tools: named("execute_tool price"),
    };
  }

  it("are those of the conventions", async () => {
    const { run, chats, tools } = await spansOfRun(false);
    expect(run[0]).toMatchObject({
      kind: SpanKind.INTERNAL,
      attributes: {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": "react",
        "gen_ai.conversation.id": "t-1",
        "plangraph.outcome": "answered",
      },
    });
    expect(chats[0]).toMatchObject({
      kind: SpanKind.CLIENT,
      attributes: {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "scripted",
        "gen_ai.request.model": "scripted-model",
        "gen_ai.usage.input_tokens": expect.any(Number),
        "gen_ai.usage.output_tokens": expect.any(Number),
        "plangraph.role": "executor",
        "plangraph.attempt": 1,
      },
    });
    expect(tools[0]?.attributes).toMatchObject({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "price",
      "gen_ai.tool.type": "function",
      "gen_ai.tool.call.id": expect.any(String),
      "plangraph.tool.attempts": 1,
    });
  });

  it("have messages in the form of the conventions, if asked for", async () => {
    const { chats, tools } = await spansOfRun(true);
    const { attributes = {} } = chats[1] ?? {};
    expect(read(attributes["gen_ai.system_instructions"])).toEqual([
      { type: "text", content: expect.stringContaining("You sell tea.") },
    ]);
    expect(read(attributes["gen_ai.input.messages"])).toEqual([
      { role: "user", parts: [{ type: "text", content: "What does tea cost?" }] },
      {
        role: "assistant",
        parts: [
          { type: "tool_call", id: expect.any(String), name: "price", arguments: { item: "tea" } },
        ],
      },
      {
        role: "tool",
        parts: [{ type: "tool_call_response", id: expect.any(String), response: "price of tea" }],
      },
    ]);
    expect(read(attributes["gen_ai.output.messages"])).toEqual([
      {
        role: "assistant",
        parts: [{ type: "text", content: "3 euros." }],
      },
    ]);
    expect(read(attributes["gen_ai.tool.definitions"])).toEqual([
      {
        type: "function",
        name: "price",
        description: expect.any(String),
        parameters: expect.objectContaining({ type: "object" }),
      },
    ]);
    expect(tools[0]?.attributes).toMatchObject({
      "gen_ai.tool.call.arguments": '{"item":"tea"}',
      "gen_ai.tool.call.result": "price of tea",
    });
  });
});
