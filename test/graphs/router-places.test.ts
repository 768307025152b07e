import { tool } from "@langchain/core/tools";
import { Command, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { type AgentEvent, asTool, createReactGraph, createRouterGraph } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { abortingTool } from "../support/aborting-tool.js";
import { asked } from "../support/asked.js";
import { asRunnable, hosts } from "../support/hosts.js";
import { askingAgent, shopAgent } from "../support/sub-agents.js";
import { asking, choice, ordering, twoRoutes } from "../support/two-routes.js";

const thread = { configurable: { thread_id: "1" } };
const approve = { type: "approve" as const };
const approved = new Command<unknown, Record<string, never>, never>({
  resume: { decisions: [approve] },
});
const unclear = choice("unclear", { question: "Light or sums?" });
const price = { toolCalls: [{ name: "price", args: { item: "lamp" } }] };

/** A router that asks the user, and whose route asks for approval. */
function askingRouter() {
  return twoRoutes({
    router: [unclear, choice("physics")],
    physics: [price, ordering("lamp"), "Ordered."],
  });
}

describe.each(Object.entries(hosts))("a router graph, %s", (_, host) => {
  it("asks the user and for approval, and repeats nothing", async () => {
    const { graph, runs, assertExhausted } = askingRouter();
    const hosted = asRunnable(host(graph, new MemorySaver()));
    const first: unknown = await hosted.invoke(asking("A lamp!"), thread);
    expect(asked(first).action_requests).toMatchObject([{ name: "ask_user" }]);
    const second: unknown = await hosted.invoke(new Command({ resume: "Light." }), thread);
    expect(asked(second).action_requests).toMatchObject([{ name: "order" }]);
    const done = await hosted.invoke(approved, thread);
    expect(done.messages.at(-1)?.text).toBe("Ordered.");
    expect(runs).toEqual(["price lamp", "order lamp"]);
    assertExhausted();
  });
});

it("a router graph as a tool goes on without a checkpointer, and its usage is the run's", async () => {
  const { graph: router, runs, assertExhausted } = askingRouter();
  const { graph } = askingAgent([asTool(router, { name: "expert", description: "Knows." })]);
  const first = await graph.invoke(asking("A lamp!"));
  expect(first.outcome?.requests?.action_requests).toMatchObject([
    { name: "ask_user", description: "expert: Light or sums?" },
  ]);
  const second = await graph.invoke({ ...first, decisions: ["Light."] });
  const done = await graph.invoke({ ...second, decisions: [approve] });
  expect(done).toMatchObject({
    answer: "Done.",
    usage: {
      modelCalls: 2 + 2 + 3,
      toolCalls: 1 + 2,
      byRole: { router: { modelCalls: 2 }, executor: { modelCalls: 2 + 3 } },
    },
  });
  expect(runs).toEqual(["price lamp", "order lamp"]);
  assertExhausted();
});

describe("a router as a route of a router", () => {
  const nested = (checkpointer?: MemorySaver) => {
    const inner = askingRouter();
    const models = scriptedModel([choice("science")]);
    const law = createReactGraph({ models: scriptedModel([]) });
    const graph = createRouterGraph({
      models,
      routes: {
        science: { description: "Nature and sums.", graph: inner.graph },
        law: { description: "Law.", graph: law },
      },
      ...(checkpointer === undefined ? {} : { checkpointer }),
    });
    return { ...inner, graph };
  };
  const usage = {
    modelCalls: 1 + 2 + 3,
    toolCalls: 2,
    byRole: { router: { modelCalls: 1 + 2 }, executor: { modelCalls: 3 } },
  };

  it("pauses and goes on, and counts everything once", async () => {
    const { graph, runs, assertExhausted } = nested(new MemorySaver());
    await graph.invoke(asking("A lamp!"), thread);
    await graph.invoke(new Command({ resume: "Light." }), thread);
    const done = await graph.invoke(approved, thread);
    expect(done).toMatchObject({ answer: "Ordered.", route: "science", usage });
    expect(runs).toEqual(["price lamp", "order lamp"]);
    assertExhausted();
  });

  it("goes on without a checkpointer", async () => {
    const { graph, runs, assertExhausted } = nested();
    const events: AgentEvent["type"][] = [];
    let first: object = {};
    const stream = await graph.stream(asking("A lamp!"), { streamMode: ["custom", "values"] });
    for await (const [mode, chunk] of stream) {
      if (mode === "custom") events.push(chunk.type);
      else first = chunk;
    }
    expect(events.filter((type) => type === "input_needed")).toHaveLength(1);
    const second = await graph.invoke({ ...first, decisions: ["Light."] });
    const done = await graph.invoke({ ...second, decisions: [approve] });
    expect(done).toMatchObject({ answer: "Ordered.", usage });
    expect(done.messages.map(({ type }) => type).join(" ")).toBe(
      "human ai human ai tool ai tool ai",
    );
    expect(runs).toEqual(["price lamp", "order lamp"]);
    assertExhausted();
  });
});

/** Agents in three levels: the outermost asks the middle one, which asks the innermost. */
const middles = {
  "an agent": (inner: ReturnType<typeof shopAgent>["tool"]) => askingAgent([inner]).graph,
  "a router": (inner: ReturnType<typeof shopAgent>["tool"]) =>
    createRouterGraph({
      models: scriptedModel([choice("shop")]),
      routes: {
        shop: { description: "Orders.", graph: askingAgent([inner]).graph },
        law: { description: "Law.", graph: createReactGraph() },
      },
    }),
};

describe.each(Object.entries(middles))("three levels, with %s in the middle", (kind, middle) => {
  const routing = kind === "a router" ? 1 : 0;
  const described = (inner: Parameters<typeof middle>[0]) =>
    asTool(middle(inner), { name: "manager", description: "Manages." });

  it.each([
    { name: "with a checkpointer", options: { checkpointer: new MemorySaver() } },
    { name: "without one", options: {} },
  ])("ask at the top $name, and count everything once", async ({ options }) => {
    const anna = shopAgent("anna", [["tea"], ["milk"]]);
    const { graph } = askingAgent([described(anna.tool)], options);
    let result = await graph.invoke(asking("Go!"), thread);
    for (const item of ["tea", "milk"]) {
      const requests = result.outcome?.requests ?? asked(result);
      expect(requests.action_requests).toMatchObject([
        { args: { item }, description: expect.stringMatching(/^manager: anna: Run order/) },
      ]);
      result =
        result.outcome === undefined
          ? await graph.invoke(approved, thread)
          : await graph.invoke({ ...result, decisions: [approve] }, thread);
    }
    expect(result).toMatchObject({
      answer: "Done.",
      usage: { modelCalls: 2 + routing + 2 + 4, toolCalls: 1 + 1 + 3 },
    });
    expect(anna.runs).toEqual(["price tea", "order tea", "order milk"]);
    anna.models.assertExhausted();
  });

  it("are heard at the top, each as a run of its own", async () => {
    const inner = asTool(createReactGraph({ models: scriptedModel(["42"]) }), {
      name: "inner",
      description: "Knows.",
    });
    const { graph } = askingAgent([described(inner)]);
    const ended = new Map<string, number>();
    for await (const event of await graph.stream(asking("Go!"), { streamMode: "custom" })) {
      if (event.type === "run_finished") ended.set(event.runId, event.usage.modelCalls);
    }
    const middleCalls = routing === 1 ? [3, 1 + 3] : [3];
    expect([...ended.values()]).toEqual([1, ...middleCalls, 2 + routing + 3]);
  });

  it("keep to the limits of the top, which hold in the innermost", async () => {
    const models = scriptedModel(() => ({
      toolCalls: [{ name: "look", args: { item: crypto.randomUUID() } }],
    }));
    const runs: string[] = [];
    const look = tool(({ item }) => runs.push(item), {
      name: "look",
      description: "Looks.",
      schema: z.object({ item: z.string() }),
    });
    const options = { earlyStopping: "force" as const };
    const inner = createReactGraph({ models, tools: [look], ...options });
    const known = asTool(inner, { name: "inner", description: "Knows." });
    const { graph } = askingAgent([described(known)], { limits: { toolCalls: 5 }, ...options });
    const { usage } = await graph.invoke(asking("Go!"));
    expect(usage.toolCalls).toBe(5);
    expect(runs).toHaveLength(3);
  });

  it("are called off together, down to the tool that runs", async () => {
    const { slow, seen, signal } = abortingTool();
    const models = scriptedModel([{ toolCalls: [{ name: "slow", args: {} }] }]);
    const inner = asTool(createReactGraph({ models, tools: [slow] }), {
      name: "inner",
      description: "Knows.",
    });
    const { graph } = askingAgent([described(inner)]);
    await expect(graph.invoke(asking("Go!"), { signal })).rejects.toThrow(/abort/i);
    expect(seen).toEqual([true]);
  });
});
