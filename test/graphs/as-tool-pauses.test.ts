import { tool } from "@langchain/core/tools";
import {
  Command,
  interrupt,
  type LangGraphRunnableConfig,
  MemorySaver,
} from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { asTool, createReactGraph, type ToolPolicy } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { askedReads } from "../support/asked-reads.js";
import { countingTools } from "../support/counting-tools.js";
import { askingAgent, shopAgent } from "../support/sub-agents.js";

const question = { messages: [{ role: "user" as const, content: "go" }] };
const thread = { configurable: { thread_id: "1" } };
const call = (name: string, args: Record<string, string> = {}) => ({ name, args, id: name });

/** An agent that looks a price up and then, in one turn, uses a tool that pauses by itself beside one that needs approval. */
function fittingAgent(name: string, policy: ToolPolicy = { needsApproval: true }) {
  const { runs, tools } = countingTools("price", "order");
  const size = tool(
    () => {
      const answer = String(interrupt({ question: `Which size for ${name}?` }));
      runs.push(`size ${answer}`);
      return answer;
    },
    { name: "size", description: "Asks for a size.", schema: z.object({}) },
  );
  const models = scriptedModel([
    { toolCalls: [call("price", { item: "shoe" })] },
    { toolCalls: [call("size"), call("order", { item: "shoe" })] },
    `${name} is fitted.`,
  ]);
  const toolPolicies = { order: policy };
  const graph = createReactGraph({ models, tools: [...tools, size], toolPolicies });
  return { runs, models, tool: asTool(graph, { name, description: "Fits." }) };
}

const approve = { resume: { decisions: [{ type: "approve" }] } };

describe("a tool that pauses by itself inside a sub-run", () => {
  it("pauses the calling run after the questions, and nothing finished runs again", async () => {
    const anna = fittingAgent("anna");
    const { graph } = askingAgent([anna.tool], { checkpointer: new MemorySaver() });
    expect(JSON.stringify(await graph.invoke(question, thread))).toContain("Run order?");
    const second = await graph.invoke(new Command(approve), thread);
    expect(JSON.stringify(second)).toContain("Which size for anna?");
    const done = await graph.invoke(new Command({ resume: "42" }), thread);
    expect(done.answer).toBe("Done.");
    expect(anna.runs).toEqual(["price shoe", "size 42", "order shoe"]);
    expect(done.observations).toMatchObject([{ content: "anna is fitted.", attempts: 1 }]);
    expect(done.usage).toMatchObject({ modelCalls: 2 + 3, toolCalls: 1 + 3 });
    expect(done.pending).toBeUndefined();
    anna.models.assertExhausted();
  });

  it("does so through two levels, and beside another sub-run", async () => {
    const anna = fittingAgent("anna", askedReads);
    const ben = fittingAgent("ben", askedReads);
    const middle = askingAgent([anna.tool]);
    const manager = asTool(middle.graph, { name: "manager", description: "Manages." });
    const { graph } = askingAgent([manager, ben.tool], { checkpointer: new MemorySaver() });
    await graph.invoke(question, thread);
    const decisions = [{ type: "approve" }, { type: "reject" }];
    const second = await graph.invoke(new Command({ resume: { decisions } }), thread);
    expect(JSON.stringify(second)).toContain("Which size for anna?");
    const third = await graph.invoke(new Command({ resume: "1" }), thread);
    expect(JSON.stringify(third)).toContain("Which size for ben?");
    const done = await graph.invoke(new Command({ resume: "2" }), thread);
    expect(done.answer).toBe("Done.");
    expect(anna.runs).toEqual(["price shoe", "order shoe", "size 1"]);
    expect(ben.runs).toEqual(["price shoe", "size 2"]);
    expect(done.usage).toMatchObject({ modelCalls: 2 + 2 + 3 + 3, toolCalls: 2 + 1 + 3 + 2 });
  });

  it("fails as a tool without a checkpointer, and the sub-run goes on", async () => {
    const anna = fittingAgent("anna");
    const { graph } = askingAgent([anna.tool]);
    const first = await graph.invoke(question);
    const done = await graph.invoke({ ...first, decisions: [{ type: "approve" }] });
    expect(done.answer).toBe("Done.");
    expect(anna.runs).toEqual(["price shoe", "order shoe"]);
  });
});

it("a graph in a caller's own tool inside a sub-run pauses the calling run, and repeats nothing", async () => {
  const { runs, tools } = countingTools("order");
  const innermost = createReactGraph({
    models: scriptedModel([{ toolCalls: [call("order", { item: "tea" })] }, "Ordered."]),
    tools,
    toolPolicies: { order: { needsApproval: true } },
  });
  const own = tool(
    async (_args, config: LangGraphRunnableConfig) =>
      (await innermost.invoke(question, config)).answer,
    { name: "own", description: "A caller's own.", schema: z.object({}) },
  );
  const stock = countingTools("stock");
  const middle = createReactGraph({
    models: scriptedModel([
      { toolCalls: [call("stock", { item: "tea" })] },
      { toolCalls: [call("own")] },
      "Middle.",
    ]),
    tools: [own, ...stock.tools],
  });
  const { graph } = askingAgent([asTool(middle, { name: "middle", description: "d" })], {
    checkpointer: new MemorySaver(),
  });
  expect(JSON.stringify(await graph.invoke(question, thread))).toContain("Run order?");
  const done = await graph.invoke(new Command(approve), thread);
  expect(done.answer).toBe("Done.");
  expect([...stock.runs, ...runs]).toEqual(["stock tea", "order tea"]);
  expect(done.usage).toMatchObject({ modelCalls: 2 + 3 + 2, toolCalls: 1 + 2 + 1 });
});

describe("a sub-run that is a write", () => {
  it("runs alone, and its questions are asked without a doubt about what it did", async () => {
    const anna = shopAgent("anna", [["tea"], ["milk"]]);
    const { graph } = askingAgent([anna.tool], {
      toolPolicies: { anna: { effect: "write" } },
      checkpointer: new MemorySaver(),
    });
    expect(JSON.stringify(await graph.invoke(question, thread))).toContain("anna: Run order?");
    await graph.invoke(new Command(approve), thread);
    const done = await graph.invoke(new Command(approve), thread);
    expect(done.answer).toBe("Done.");
    expect(anna.runs).toEqual(["price tea", "order tea", "order milk"]);
    expect(done.observations[0]?.maybeDuplicate).toBeUndefined();
  });

  it("goes on without a checkpointer too", async () => {
    const anna = shopAgent("anna", [["tea"]]);
    const { graph } = askingAgent([anna.tool], { toolPolicies: { anna: { effect: "write" } } });
    const first = await graph.invoke(question);
    expect(first.outcome?.status).toBe("needs_input");
    const done = await graph.invoke({ ...first, decisions: [{ type: "approve" }] });
    expect(done.answer).toBe("Done.");
    expect(anna.runs).toEqual(["price tea", "order tea"]);
  });
});

it("a sub-run that itself needs approval is approved, edited and told as edited, then asks its own", async () => {
  const anna = shopAgent("anna", [["tea"]]);
  const { graph } = askingAgent([anna.tool], {
    toolPolicies: { anna: { needsApproval: true } },
    checkpointer: new MemorySaver(),
  });
  await graph.invoke(question, thread);
  const edited_action = { name: "anna", args: { question: "only tea" } };
  const decisions = [{ type: "edit", edited_action }];
  await graph.invoke(new Command({ resume: { decisions } }), thread);
  const done = await graph.invoke(new Command(approve), thread);
  expect(anna.models.calls[0]?.messages.at(-1)?.text).toBe("only tea");
  expect(done.observations[0]).toMatchObject({
    args: { question: "only tea" },
    content: '(A person changed the arguments to {"question":"only tea"}.)\nanna has ordered.',
  });
});

it("a sub-run that ended before the record of its call was lost is not run again, and still counts", async () => {
  const saver = new MemorySaver();
  const putWrites = saver.putWrites.bind(saver);
  saver.putWrites = async (config, writes, taskId) => {
    const isOuter = (config.configurable?.["checkpoint_ns"] ?? "") === "";
    const isResult = writes.some(([channel]) => channel === "__return__");
    if (!isOuter || !isResult) await putWrites(config, writes, taskId);
  };
  const anna = shopAgent("anna", [["tea"], ["milk"]]);
  const { graph } = askingAgent([anna.tool], { checkpointer: saver });
  await graph.invoke(question, thread);
  await graph.invoke(new Command(approve), thread);
  const done = await graph.invoke(new Command(approve), thread);
  expect(done.answer).toBe("Done.");
  expect(anna.runs).toEqual(["price tea", "order tea", "order milk"]);
  expect(done.usage).toMatchObject({ modelCalls: 2 + 4, toolCalls: 1 + 3 });
});
