import { AIMessage, ToolMessage } from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { createAgent } from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import {
  asTool,
  createReactGraph,
  handOff,
  type ReactOptions,
  withPolicy,
} from "../../src/index.js";
import { noUsage } from "../../src/state/usage.js";
import { scriptedModel } from "../../src/testing/index.js";
import { asked } from "../support/asked.js";
import { countingTools } from "../support/counting-tools.js";
import { asRunnable } from "../support/hosts.js";
import { askingAgent, shopAgent } from "../support/sub-agents.js";

const question = { messages: [{ role: "user" as const, content: "go" }] };
const thread = { configurable: { thread_id: "1" } };
const used = (input: number) => ({ input, output: 1 });
const named = { name: "expert", description: "An expert." };

/** An expert that never comes to an answer by itself. */
function restless(options: ReactOptions = {}) {
  const { runs, tools } = countingTools("price");
  const models = scriptedModel(() => ({
    toolCalls: [{ name: "price", args: { item: crypto.randomUUID() } }],
  }));
  const graph = createReactGraph({ models, tools, earlyStopping: "force", ...options });
  return { runs, graph, tool: asTool(graph, named) };
}

describe("what the calling model reads of a sub-run", () => {
  const handingOver = createReactGraph({
    models: scriptedModel(() => ({
      toolCalls: [{ name: "hand_off", args: { reason: "This is about the law." } }],
    })),
    tools: [handOff],
  });
  it.each([
    {
      name: "the answer alone when it was answered",
      graph: createReactGraph({ models: scriptedModel(() => "42") }),
      ok: true,
      content: /^42$/,
    },
    {
      name: "what it found out and the limit when it came to one",
      graph: restless({ limits: { toolCalls: 1 } }).graph,
      ok: true,
      content: /Results so far:[^]*\(expert was stopped.*the number of tool calls/,
    },
    {
      name: "the reason when it failed",
      graph: createReactGraph({
        models: scriptedModel(() => {
          throw Object.assign(new Error("no such model"), { status: 404 });
        }),
      }),
      ok: false,
      content: /^Error: expert failed: .*no such model/,
    },
    {
      name: "the reason when it handed off",
      graph: handingOver,
      ok: false,
      content: /^Error: expert gave its task back.*This is about the law/,
    },
  ])("is $name", async ({ graph, ok, content }) => {
    const asking = askingAgent([asTool(graph, named)]);
    const result = await asking.graph.invoke(question);
    expect(result.outcome).toEqual({ status: "answered" });
    expect(result.observations).toMatchObject([{ ok, attempts: 1 }]);
    expect(result.observations[0]?.content).toMatch(content);
  });

  it("ends the calling run where the tool says so", async () => {
    const tool = asTool(handingOver, { ...named, endsOnHandOff: true });
    const { graph } = askingAgent([tool]);
    const { outcome, answer } = await graph.invoke(question);
    expect(outcome).toMatchObject({ status: "handed_off", reason: "This is about the law." });
    expect(answer).toBe("A person takes over from here: This is about the law.");
  });

  it("has the structured response as its value", async () => {
    const graph = createReactGraph({
      models: scriptedModel(["Tea is 3 euros.", '{"euros":3}']),
      responseFormat: z.object({ euros: z.number() }),
    });
    const result = await askingAgent([asTool(graph, named)]).graph.invoke(question);
    expect(result.observations).toMatchObject([
      { content: "Tea is 3 euros.", value: { euros: 3 } },
    ]);
  });

  it("may be the calling run's answer", async () => {
    const graph = createReactGraph({ models: scriptedModel(["42"]) });
    const { models, graph: outer } = askingAgent([
      withPolicy(asTool(graph, named), { returnDirect: true }),
    ]);
    expect((await outer.invoke(question)).answer).toBe("42");
    expect(models.calls).toHaveLength(1);
  });
});

it("takes other parameters, which become the sub-run's messages", async () => {
  const models = scriptedModel(["Bonjour"]);
  const tool = asTool(createReactGraph({ models }), {
    name: "translate",
    description: "Translates.",
    schema: z.object({ text: z.string(), to: z.string() }),
    messages: ({ text, to }) => [{ role: "user", content: `${text} in ${to}` }],
  });
  expect(await tool.invoke({ text: "Hello", to: "French" })).toBe("Bonjour");
  expect(models.calls[0]?.messages.at(-1)?.text).toBe("Hello in French");
});

it("is refused for what is no graph of plangraph", () => {
  const graph = { invoke: async () => ({ usage: noUsage, answer: "42" }) };
  const refusal = expect.objectContaining({ code: "not_a_plangraph" });
  expect(() => asTool(graph, named)).toThrow(refusal);
});

describe("a sub-run and the run that calls it", () => {
  it("share usage by role, through two levels", async () => {
    const calls = (name: string, input: number) => ({
      toolCalls: [{ name, args: { question: "?" } }],
      usage: used(input),
    });
    const inner = createReactGraph({
      models: scriptedModel([{ text: "c", usage: used(100) }], { model: "c" }),
    });
    const middle = createReactGraph({
      models: scriptedModel([calls("c", 10), { text: "b", usage: used(20) }]),
      tools: [asTool(inner, { ...named, name: "c" })],
    });
    const outer = createReactGraph({
      models: scriptedModel([calls("b", 1), { text: "a", usage: used(2) }]),
      tools: [asTool(middle, { ...named, name: "b" })],
      checkpointer: new MemorySaver(),
    });
    const { usage, observations } = await outer.invoke(question, thread);
    expect(usage).toMatchObject({ modelCalls: 5, toolCalls: 2, tokensIn: 133, tokensOut: 5 });
    expect(usage.byRole["executor"]).toMatchObject({ modelCalls: 5, tokensIn: 133 });
    expect(observations[0]?.usage).toMatchObject({ modelCalls: 3, toolCalls: 1, tokensIn: 130 });
  });

  it("share limits: the calling run's holds inside, the sub-run's own ends only the sub-run", async () => {
    const own = restless({ limits: { toolCalls: 2 } });
    const answered = await askingAgent([own.tool]).graph.invoke(question);
    expect(answered.outcome).toEqual({ status: "answered" });
    expect(own.runs).toHaveLength(2);

    const shared = restless();
    const middle = askingAgent([shared.tool], { earlyStopping: "force" });
    const { graph } = askingAgent([asTool(middle.graph, { ...named, name: "middle" })], {
      limits: { toolCalls: 5 },
      earlyStopping: "force",
    });
    const limited = await graph.invoke(question);
    expect(limited.usage.toolCalls).toBe(5);
    expect(shared.runs).toHaveLength(3);
  });

  it("share events: those of the innermost reach the outermost stream, and people are asked once", async () => {
    const anna = shopAgent("anna", [["tea"]]);
    const middle = askingAgent([anna.tool]);
    const { graph } = askingAgent([asTool(middle.graph, { ...named, name: "middle" })], {
      checkpointer: new MemorySaver(),
    });
    const seen: string[] = [];
    const stream = async (input: Parameters<typeof graph.stream>[0]) => {
      const options = { ...thread, streamMode: "custom" as const };
      for await (const event of await graph.stream(input, options)) {
        seen.push(event.type === "tool_finished" ? `${event.tool} finished` : event.type);
      }
    };
    await stream(question);
    expect(seen.filter((type) => type === "input_needed")).toHaveLength(1);
    await stream(new Command({ resume: { decisions: [{ type: "approve" }] } }));
    expect(seen.filter((type) => type.endsWith(" finished"))).toEqual([
      "price finished",
      "order finished",
      "anna finished",
      "middle finished",
    ]);
    expect(seen.filter((type) => type === "tool_started")).toHaveLength(4);
  });

  it("share the abort signal, through two levels", async () => {
    const abort = new AbortController();
    const seen: boolean[] = [];
    const inner = createReactGraph({
      models: scriptedModel(async (_messages, { signal }) => {
        setTimeout(() => abort.abort(), 10);
        return await new Promise((_, reject) => {
          signal?.addEventListener("abort", () => {
            seen.push(signal.aborted);
            reject(new Error("called off"));
          });
        });
      }),
    });
    const middle = askingAgent([asTool(inner, named)]);
    const { graph } = askingAgent([asTool(middle.graph, { ...named, name: "middle" })]);
    await expect(graph.invoke(question, { signal: abort.signal })).rejects.toThrow(/abort/i);
    expect(seen).toEqual([true]);
  });

  it("run beside one another", async () => {
    let running = 0;
    const most: number[] = [];
    const slow = (name: string) => {
      const models = scriptedModel(async () => {
        running += 1;
        most.push(running);
        await new Promise((resolve) => setTimeout(resolve, 50));
        running -= 1;
        return name;
      });
      return asTool(createReactGraph({ models }), { ...named, name });
    };
    const { graph } = askingAgent([slow("a"), slow("b"), slow("c")], {
      checkpointer: new MemorySaver(),
    });
    await graph.invoke(question, thread);
    expect(Math.max(...most)).toBe(3);
  });
});

describe("outside a run of plangraph", () => {
  const approve = new Command({ resume: { decisions: [{ type: "approve" }] } });

  it("pauses in LangChain's createAgent, and repeats nothing", async () => {
    const anna = shopAgent("anna", [["tea"], ["milk"]]);
    const toolCalls = [{ name: "anna", args: { question: "tea" } }];
    const agent = asRunnable(
      createAgent({
        model: scriptedModel([{ toolCalls }, "Done."]),
        tools: [anna.tool],
        checkpointer: new MemorySaver(),
      }).graph,
    );
    const paused: unknown = await agent.invoke(question, thread);
    expect(asked(paused).action_requests).toMatchObject([{ args: { item: "tea" } }]);
    const again: unknown = await agent.invoke(approve, thread);
    expect(asked(again).action_requests).toMatchObject([{ args: { item: "milk" } }]);
    const done = await agent.invoke(approve, thread);
    expect(done.messages.at(-1)?.text).toBe("Done.");
    expect(anna.runs).toEqual(["price tea", "order tea", "order milk"]);
  });

  const call = { name: "anna", args: { question: "tea" }, id: "c1", type: "tool_call" as const };
  const needs = "Error: anna needs a person and cannot ask one here: Run order?";

  it.each([
    {
      name: "a plain call, as text",
      invoke: async () => shopAgent("anna", [["tea"]]).tool.invoke(call.args),
      seen: { text: needs, status: undefined },
    },
    {
      name: "a tool call, as an error message",
      invoke: async () => shopAgent("anna", [["tea"]]).tool.invoke(call),
      seen: { text: needs, status: "error" },
    },
    {
      name: "a ToolNode without a checkpointer, as an error message",
      invoke: async () => {
        const node = new ToolNode([shopAgent("anna", [["tea"]]).tool]);
        return (await node.invoke([new AIMessage({ tool_calls: [call] })]))[0];
      },
      seen: { text: needs, status: "error" },
    },
  ])("says what it needs to $name", async ({ invoke, seen }) => {
    const result: unknown = await invoke();
    const [text, status] = ToolMessage.isInstance(result)
      ? [result.text, result.status]
      : [String(result), undefined];
    expect(text).toContain(seen.text);
    expect(status).toBe(seen.status);
  });
});
