import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { tool, type ToolRuntime } from "@langchain/core/tools";
import {
  Annotation,
  Command,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { createAgent } from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import {
  type AgentEvent,
  asTool,
  createReactGraph,
  createRewooGraph,
  createRouterGraph,
  withPolicy,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { planText, stepOf } from "../support/plans.js";
import { priceTool } from "../support/middleware.js";

const Host = Annotation.Root({ ...MessagesAnnotation.spec, active: Annotation<string>() });
const question = { messages: [{ role: "user" as const, content: "I want to talk to Bob." }] };

/** LangChain's handoff between agents: a tool that leaves for another node of the surrounding graph. */
const handingOver = () =>
  tool(
    (_, { state, toolCallId }: ToolRuntime<typeof MessagesAnnotation.State>) => {
      const done = new ToolMessage({ content: "To Bob.", tool_call_id: toolCallId });
      const turn = state.messages.at(-1);
      const messages: BaseMessage[] = turn === undefined ? [done] : [turn, done];
      return new Command({
        goto: "bob",
        graph: Command.PARENT,
        update: { active: "bob", messages },
      });
    },
    { name: "to_bob", description: "Hands over to Bob.", schema: z.object({}) },
  );
const leave = { toolCalls: [{ name: "to_bob", args: {}, id: "1" }] };

const hostOf = (alice: Parameters<typeof addAlice>[0], checkpointer?: MemorySaver) =>
  addAlice(alice)
    .addNode("bob", ({ messages }) => ({
      messages: [new AIMessage(`Bob here, after ${messages.length} messages.`)],
    }))
    .addEdge(START, "alice")
    .compile(checkpointer === undefined ? {} : { checkpointer });

function addAlice(alice: ReturnType<typeof createReactGraph>) {
  return new StateGraph(Host).addNode("alice", alice, { ends: ["bob"] });
}

const said = (messages: readonly BaseMessage[]) => messages.map(({ type, text }) => [type, text]);

describe("a tool's Command for the surrounding graph", () => {
  it("goes to its node with its update, as a tool of createAgent's does", async () => {
    const models = scriptedModel([leave]);
    const alice = createReactGraph({ models, tools: [handingOver()] });
    const { messages, active } = await hostOf(alice).invoke(question);
    expect({ active, said: said(messages) }).toEqual({
      active: "bob",
      said: [
        ["human", "I want to talk to Bob."],
        ["ai", ""],
        ["tool", "To Bob."],
        ["ai", "Bob here, after 3 messages."],
      ],
    });
    const agent = createAgent({ model: scriptedModel([leave]), tools: [handingOver()] });
    const theirs = new StateGraph(Host)
      .addNode("alice", agent.graph, { ends: ["bob"] })
      .addNode("bob", () => ({}))
      .addEdge(START, "alice")
      .compile();
    const of = await theirs.invoke(question);
    expect(said(messages).slice(0, 3)).toEqual(said(of.messages));
    expect(models.calls).toHaveLength(1);
  });

  it("brings the results of the turn's other calls, so that no call is open", async () => {
    const { price, runs } = priceTool();
    const both = {
      toolCalls: [...leave.toolCalls, { name: "price", args: { item: "tea" }, id: "2" }],
    };
    const writing = withPolicy(price, { effect: "write" });
    const alice = createReactGraph({
      models: scriptedModel([both]),
      tools: [handingOver(), writing],
    });
    const { messages } = await hostOf(alice).invoke(question);
    expect(said(messages).slice(1, 4)).toEqual([
      ["ai", ""],
      ["tool", "To Bob."],
      ["tool", "tea: 3 euros"],
    ]);
    expect(runs).toEqual(["tea"]);
  });

  it("waits for a person who must approve it", async () => {
    const asked = withPolicy(handingOver(), { needsApproval: true });
    const alice = createReactGraph({ models: scriptedModel([leave]), tools: [asked] });
    const host = hostOf(alice, new MemorySaver());
    const thread = { configurable: { thread_id: "1" } };
    const paused = await host.invoke(question, thread);
    expect(paused.active).toBeUndefined();
    const resume = { decisions: [{ type: "approve" }] };
    const { active } = await host.invoke(new Command({ resume }), thread);
    expect(active).toBe("bob");
  });

  it("happens once, whatever fails after it", async () => {
    let runs = 0;
    let fails = 1;
    const counted = tool(
      (_, { toolCallId }: ToolRuntime) => {
        runs += 1;
        const messages = [new ToolMessage({ content: "To Bob.", tool_call_id: toolCallId })];
        return new Command({ goto: "bob", graph: Command.PARENT, update: { messages } });
      },
      { name: "to_bob", description: "Hands over.", schema: z.object({}) },
    );
    const models = scriptedModel([leave]);
    const alice = createReactGraph({ models, tools: [counted] });
    const host = addAlice(alice)
      .addNode("bob", () => {
        fails -= 1;
        if (fails >= 0) throw new Error("Bob is out.");
        return { active: "bob" };
      })
      .addEdge(START, "alice")
      .compile({ checkpointer: new MemorySaver() });
    const thread = { configurable: { thread_id: "1" } };
    await expect(host.invoke(question, thread)).rejects.toThrow("Bob is out.");
    const { active } = await host.invoke(null, thread);
    expect({ active, runs, asked: models.calls.length }).toEqual({
      active: "bob",
      runs: 1,
      asked: 1,
    });
  });

  it("ends the run in its events, too", async () => {
    const events: AgentEvent[] = [];
    const alice = createReactGraph({ models: scriptedModel([leave]), tools: [handingOver()] });
    const stream = await hostOf(alice).stream(question, { streamMode: "custom", subgraphs: true });
    for await (const [, event] of stream) events.push(event);
    expect(events.at(-1)).toMatchObject({
      type: "run_finished",
      outcome: { status: "answered" },
      usage: { modelCalls: 1, toolCalls: 1 },
    });
  });

  const react = () =>
    createReactGraph({ models: scriptedModel([leave, "No."]), tools: [handingOver()] });
  const asking = { toolCalls: [{ name: "alice", args: { question: "Bob?" } }] };
  it.each([
    {
      name: "a step of a plan",
      graph: () =>
        createRewooGraph({
          models: scriptedModel([planText(stepOf("to_bob", "tea")), "No."]),
          tools: [handingOver()],
        }),
      error: "which a plan cannot do",
    },
    {
      name: "a route",
      graph: () =>
        createRouterGraph({
          models: scriptedModel([]),
          routes: { alice: { description: "A.", graph: react() } },
        }),
      error: "this graph is no node of a graph of yours",
    },
  ])("is refused for $name", async ({ graph, error }) => {
    const host = new StateGraph(Host)
      .addNode("alice", async (state: typeof Host.State) => {
        const { observations } = await graph().invoke(state);
        return { messages: [new AIMessage(observations[0]?.content ?? "")] };
      })
      .addEdge(START, "alice")
      .compile();
    const { messages, active } = await host.invoke(question);
    expect(active).toBeUndefined();
    expect(messages.at(-1)?.text).toContain(error);
  });

  it("is refused for a graph that is a tool", async () => {
    const alice = asTool(react(), { name: "alice", description: "Alice." });
    const outer = createReactGraph({ models: scriptedModel([asking, "Done."]), tools: [alice] });
    const host = hostOf(outer);
    const { active, messages } = await host.invoke(question);
    expect(active).toBeUndefined();
    expect(messages.at(-1)?.text).toBe("Done.");
  });
});
