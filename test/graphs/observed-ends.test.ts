import { tool } from "@langchain/core/tools";
import { Command, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import {
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
  type Observer,
  withPolicy,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";
import { question } from "../support/middleware.js";
import { finishWith, planText, stepOf } from "../support/plans.js";
import { respondWith, taskPlanText } from "../support/task-plans.js";
import { watching } from "../support/watching.js";

const call = (item: string) => ({ toolCalls: [{ name: "price", args: { item } }] });

function rewoo(observers: readonly Observer[]) {
  const models = scriptedModel([planText(stepOf("price", "tea")), "It is three."]);
  const { tools } = countingTools("price");
  return createRewooGraph({ models, tools, observers });
}

/** A tool that a person must approve. */
const letters = () =>
  withPolicy(
    tool(({ item }) => `sent ${item}`, {
      name: "price",
      description: "Sends.",
      schema: z.object({ item: z.string() }),
    }),
    { needsApproval: true },
  );

describe("a run that waits", () => {
  it.each([
    { name: "react", create: createReactGraph, replies: [call("tea"), "Sent."], id: /^\w+/ },
    {
      name: "rewoo",
      create: createRewooGraph,
      replies: [planText(stepOf("price", "tea")), "Sent."],
      id: /^E1$/,
    },
    {
      name: "llm-compiler",
      create: createLlmCompilerGraph,
      replies: [planText(stepOf("price", "tea")), finishWith("Sent.")],
      id: /^E1$/,
    },
    {
      name: "plan-execute",
      create: createPlanExecuteGraph,
      replies: [taskPlanText({ task: "Send tea." }), call("tea"), "Sent.", respondWith("Sent.")],
      id: /^S1$/,
    },
  ])("$name: says for which calls, stops, and goes on as the same run", async (row) => {
    const { create, replies, id } = row;
    const { observer, events, tree } = watching();
    const checkpointer = new MemorySaver();
    const options = { models: scriptedModel([...replies]), tools: [letters()], checkpointer };
    const graph = create({ ...options, observers: [observer] });
    const thread = { configurable: { thread_id: "t-1" } };
    await graph.invoke(question, thread);
    const [root] = tree();
    expect(root).toMatchObject({ status: "stopped", start: { threadId: "t-1" } });
    expect(root?.end).toMatchObject({ type: "run_stopped", reason: "paused" });
    const asked = events.filter((event) => event.type === "input_needed");
    expect(asked).toHaveLength(1);
    expect(asked[0]?.callIds).toEqual([expect.stringMatching(id)]);
    expect(asked[0]?.content?.requests.action_requests[0]).toMatchObject({
      call_id: asked[0]?.callIds[0],
    });
    const before = events.length;
    await graph.invoke(new Command({ resume: { decisions: [{ type: "approve" }] } }), thread);
    expect(events[before]).toMatchObject({
      type: "run_started",
      resumed: true,
      threadId: "t-1",
      content: { question: "What does tea cost?" },
    });
    expect(tree()).toMatchObject([{ status: "ok" }]);
  });

  it("says that it goes on in the stream of its events, too", async () => {
    const checkpointer = new MemorySaver();
    const models = scriptedModel([call("tea"), "Sent."]);
    const graph = createReactGraph({ models, tools: [letters()], checkpointer });
    const thread = { configurable: { thread_id: "1" } };
    await graph.invoke(question, thread);
    const resume = new Command({ resume: { decisions: [{ type: "approve" }] } });
    const types: unknown[] = [];
    for await (const event of await graph.stream(resume, { ...thread, streamMode: "custom" }))
      types.push(Reflect.get(Object(event), "type"));
    expect(types).toEqual([
      "run_started",
      "decided",
      "tool_started",
      "tool_finished",
      "model_started",
      "model_finished",
      "run_finished",
    ]);
  });
});

describe("a run that does not end", () => {
  it("is seen to stop where the caller cancels it", async () => {
    const { observer, tree } = watching();
    const abort = new AbortController();
    const models = scriptedModel(() => {
      abort.abort();
      return new Promise(() => {});
    });
    const graph = createReactGraph({ models, observers: [observer] });
    await expect(graph.invoke(question, { signal: abort.signal })).rejects.toThrow(/abort/i);
    expect(tree()).toMatchObject([
      { status: "stopped", end: { type: "run_stopped", reason: "cancelled" } },
    ]);
  });

  it("is seen to stop where a reader leaves its stream", async () => {
    const { observer, tree } = watching();
    for await (const _ of await rewoo([observer]).stream(question, { streamMode: "custom" })) break;
    expect(tree()).toMatchObject([{ end: { type: "run_stopped", reason: "cancelled" } }]);
  });

  it("is not seen where it never began", async () => {
    const { observer, events } = watching();
    await expect(rewoo([observer]).invoke({ messages: [] })).rejects.toThrow(/messages/);
    expect(events).toEqual([]);
  });
});
