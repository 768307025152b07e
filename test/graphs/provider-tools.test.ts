import { HumanMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { ChatOpenAI } from "@langchain/openai";
import { describe, expect, it } from "vitest";

import {
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
} from "../../src/index.js";
import { isRecord } from "../../src/json/json.js";
import { scriptedModel } from "../../src/testing/index.js";
import { call, priceTool, question } from "../support/middleware.js";
import { respondWith, taskPlanText } from "../support/task-plans.js";

const search = { type: "web_search", search_context_size: "low" };

/** What OpenAI's Responses API answers. */
function responseOf(output: readonly object[]) {
  const usage = { input_tokens: 3, output_tokens: 2, total_tokens: 5 };
  const body = {
    id: "resp_1",
    object: "response",
    status: "completed",
    model: "gpt-4o",
    output,
    usage,
  };
  return Response.json({ created_at: 1, parallel_tool_calls: true, error: null, ...body });
}
const searched = { type: "web_search_call", id: "ws_1", status: "completed" };
const said = (text: string, id: string) => ({
  type: "message",
  id,
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text, annotations: [] }],
});

function openAI(replies: (readonly object[])[]) {
  const bodies: Record<string, unknown>[] = [];
  const send: typeof fetch = (_, init) => {
    const body: unknown = JSON.parse(typeof init?.body === "string" ? init.body : "{}");
    if (isRecord(body)) bodies.push(body);
    return Promise.resolve(responseOf(replies.shift() ?? []));
  };
  const configuration = { fetch: send };
  const models = new ChatOpenAI({ model: "gpt-4o", apiKey: "key", maxRetries: 0, configuration });
  return { models, bodies };
}

describe("a tool that the model's server runs", () => {
  it("goes to OpenAI as it is, beside others, and its traces stay in the conversation", async () => {
    const priced = {
      type: "function_call",
      id: "fc_1",
      call_id: "c1",
      name: "price",
      arguments: '{"item":"tea"}',
    };
    const { models, bodies } = openAI([
      [searched, priced],
      [said("3 euros.", "msg_1")],
      [said("Still 3.", "msg_2")],
    ]);
    const { price, runs } = priceTool();
    const checkpointer = new MemorySaver();
    const graph = createReactGraph({ models, tools: [price, search], checkpointer });
    const thread = { configurable: { thread_id: "1" } };
    const first = await graph.invoke(question, thread);
    expect([first.answer, first.outcome, runs]).toEqual([
      "3 euros.",
      { status: "answered" },
      ["tea"],
    ]);
    expect(first.usage).toMatchObject({ modelCalls: 2, toolCalls: 1 });
    for (const { tools } of bodies) {
      expect(tools).toEqual([expect.objectContaining({ type: "function", name: "price" }), search]);
    }
    const second = await graph.invoke({ messages: [new HumanMessage("And now?")] }, thread);
    expect(second.answer).toBe("Still 3.");
    expect(JSON.stringify(bodies[2])).toContain("ws_1");
  });

  it("may be the only tool", async () => {
    const { models, bodies } = openAI([[searched, said("3 euros.", "msg_1")]]);
    const { answer } = await createReactGraph({ models, tools: [search] }).invoke(question);
    expect([answer, bodies[0]?.["tools"]]).toEqual(["3 euros.", [search]]);
  });

  it("is in the tasks of plan-execute, and its planner knows it", async () => {
    const models = scriptedModel([
      taskPlanText({ task: "Price it." }),
      call("tea", "c1"),
      "3",
      respondWith("Done."),
    ]);
    const { price } = priceTool();
    const graph = createPlanExecuteGraph({ models, tools: [price, search] });
    const { outcome } = await graph.invoke(question);
    expect(outcome).toEqual({ status: "answered" });
    const [planning, ...others] = models.calls;
    expect(planning?.messages[0]?.text).toContain("- web_search: Run by the model's own server.");
    expect(planning?.tools).toEqual([]);
    expect(others[0]?.tools).toEqual([expect.anything(), search]);
  });

  it.each([
    {
      name: "rewoo",
      make: () => createRewooGraph({ tools: [search] }),
      why: "the steps of a plan",
    },
    {
      name: "llm-compiler",
      make: () => createLlmCompilerGraph({ tools: [search] }),
      why: "the steps of a plan",
    },
    {
      name: "calls in JSON",
      make: () => createReactGraph({ tools: [search], protocol: "json" }),
      why: 'protocol "json"',
    },
  ])("is refused for $name", ({ make, why }) => {
    expect(make).toThrow(
      `The tool of type "web_search" is run by the model's server, where ${why} cannot call it`,
    );
  });

  it("ends a run whose model takes no tool calls, before it is asked", async () => {
    const models = scriptedModel([], { model: "small" });
    Object.defineProperty(models, "profile", { value: { toolCalling: false } });
    const { outcome } = await createReactGraph({ models, tools: [search] }).invoke(question);
    expect(outcome?.status).toBe("failed");
    expect(outcome?.reason).toContain('The model "small" takes no tool calls');
    expect(models.calls).toEqual([]);
  });

  it("is no described function: nothing would run its calls", () => {
    const described = { type: "function", function: { name: "price", parameters: {} } };
    expect(() => createReactGraph({ tools: [described] })).toThrow(
      "Expected a LangChain tool (from `tool(…)` or StructuredTool), got",
    );
  });
});
