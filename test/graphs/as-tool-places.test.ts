import { tool } from "@langchain/core/tools";
import { Command, INTERRUPT, isInterrupted, MemorySaver } from "@langchain/langgraph";
import { createAgent } from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { asTool, createReactGraph, type ReactOptions } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { asked } from "../support/asked.js";
import { countingTools } from "../support/counting-tools.js";
import { asRunnable, hosts } from "../support/hosts.js";
import { askingAgent, shopAgent } from "../support/sub-agents.js";

const question = { messages: [{ role: "user" as const, content: "go" }] };
const thread = { configurable: { thread_id: "1" } };
const approve = { type: "approve" as const };
const approved = { resume: { decisions: [approve] } };

describe.each(Object.entries(hosts))("a run with a sub-run, %s", (_, host) => {
  it("pauses as often as the sub-run asks, and repeats nothing", async () => {
    const anna = shopAgent("anna", [["tea"], ["milk"]]);
    const graph = asRunnable(host(askingAgent([anna.tool]).graph, new MemorySaver()));
    await graph.invoke(question, thread);
    await graph.invoke(new Command(approved), thread);
    const done = await graph.invoke(new Command(approved), thread);
    expect(done.messages.at(-1)?.text).toBe("Done.");
    expect(anna.runs).toEqual(["price tea", "order tea", "order milk"]);
    anna.models.assertExhausted();
  });
});

const call = (name: string, item: string) => ({ name, args: { item } });

/** A sub-run of which two writes need approval beside a read. */
function ordering(options: ReactOptions) {
  const { runs, tools } = countingTools("price", "order");
  const models = scriptedModel([
    { toolCalls: [call("order", "tea"), call("price", "tea"), call("order", "milk")] },
    "Ordered.",
  ]);
  const toolPolicies = { order: { needsApproval: true, effect: "write" as const } };
  const graph = createReactGraph({ models, tools, toolPolicies, ...options });
  return { runs, tool: asTool(graph, { name: "expert", description: "Orders." }) };
}

describe.each([
  { name: "without a checkpointer", options: {} },
  { name: "that may have none", options: { checkpointer: false } },
  { name: "with a checkpointer of its own", options: { checkpointer: new MemorySaver() } },
])("a sub-run of writes $name", ({ options }) => {
  it("writes once what was approved", async () => {
    const expert = ordering(options);
    const { graph } = askingAgent([expert.tool], { checkpointer: new MemorySaver() });
    const paused = await graph.invoke(question, thread);
    expect(asked(paused).action_requests).toHaveLength(2);
    const resume = { decisions: [approve, { type: "reject" }] };
    const { answer, usage } = await graph.invoke(new Command({ resume }), thread);
    expect(answer).toBe("Done.");
    expect(expert.runs).toEqual(["order tea", "price tea"]);
    expect(usage.toolCalls).toBe(1 + 2);
  });
});

it("a sub-run of writes in a run without a checkpointer writes once what was approved", async () => {
  const expert = ordering({});
  const { graph } = askingAgent([expert.tool]);
  const first = await graph.invoke(question);
  const done = await graph.invoke({ ...first, decisions: [approve, approve] });
  expect(done.answer).toBe("Done.");
  expect(expert.runs).toEqual(["order tea", "price tea", "order milk"]);
});

it("is answered by the interrupt's id as well", async () => {
  const anna = shopAgent("anna", [["tea"]]);
  const { graph } = askingAgent([anna.tool], { checkpointer: new MemorySaver() });
  const paused: unknown = await graph.invoke(question, thread);
  const id = isInterrupted(paused) ? (paused[INTERRUPT][0]?.id ?? "") : "";
  const resume = { [id]: { decisions: [approve] } };
  expect((await graph.invoke(new Command({ resume }), thread)).answer).toBe("Done.");
  expect(anna.runs).toEqual(["price tea", "order tea"]);
});

it("inside LangChain's agent inside a caller's tool, pauses the run that makes the call", async () => {
  const anna = shopAgent("anna", [["tea"]]);
  const agent = createAgent({
    model: scriptedModel((messages) =>
      messages.at(-1)?.type === "tool"
        ? "Asked."
        : { toolCalls: [{ name: "anna", args: { question: "tea" }, id: "c1" }] },
    ),
    tools: [anna.tool],
  });
  const own = tool(
    async (_args, config) => {
      const { messages } = await asRunnable(agent.graph).invoke(question, config);
      return String(messages.at(-1)?.text);
    },
    { name: "own", description: "A caller's own.", schema: z.object({}) },
  );
  const { graph } = askingAgent([own], { checkpointer: new MemorySaver() });
  expect(asked(await graph.invoke(question, thread)).action_requests).toHaveLength(1);
  const done = await graph.invoke(new Command(approved), thread);
  expect(done.observations).toMatchObject([{ ok: true, content: "Asked." }]);
  expect(anna.runs).toEqual(["price tea", "order tea"]);
});

it("outside of any run, with a checkpointer of its own, it says what it needs too", async () => {
  const expert = ordering({ checkpointer: new MemorySaver() });
  const said = await expert.tool.invoke({ question: "tea" }, thread);
  const order = "Run order? Gives the order of an item.";
  expect(said).toBe(`Error: expert needs a person and cannot ask one here: ${order} ${order}`);
});
