import { type BaseMessage, isBaseMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";

import { type AgentEvent, createReactGraph, createRouterGraph, handOff } from "../../src/index.js";
import { fault, scriptedModel, startScriptedServer } from "../../src/testing/index.js";
import { abortingTool } from "../support/aborting-tool.js";
import { asking, choice, twoRoutes } from "../support/two-routes.js";

const thread = { configurable: { thread_id: "1" } };
const used = (input: number) => ({ input, output: 1 });
const looking = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    toolCalls: [{ name: "price", args: { item: `lamp ${at}` } }],
  }));

async function eventsOf(
  { graph }: Pick<ReturnType<typeof twoRoutes>, "graph">,
  content: string,
): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of await graph.stream(asking(content), { streamMode: "custom" })) {
    events.push(event);
  }
  return events;
}

describe("usage", () => {
  it("is the router's own and the route's, by role and in all", async () => {
    const { graph } = twoRoutes({
      router: [{ text: choice("physics"), usage: used(1) }],
      physics: [
        { toolCalls: [{ name: "price", args: { item: "lamp" } }], usage: used(10) },
        { text: "Three euros.", usage: used(100) },
      ],
    });
    const { usage } = await graph.invoke(asking("What does a lamp cost?"));
    const share = { costUsd: 0 };
    expect(usage).toEqual({
      ...share,
      modelCalls: 3,
      toolCalls: 1,
      tokensIn: 111,
      tokensOut: 3,
      byRole: {
        router: { ...share, modelCalls: 1, tokensIn: 1, tokensOut: 1 },
        executor: { ...share, modelCalls: 2, tokensIn: 110, tokensOut: 2 },
      },
    });
  });

  it("counts once what a route used that ended before its end was on record", async () => {
    const checkpointer = new MemorySaver();
    const putWrites = checkpointer.putWrites.bind(checkpointer);
    const broken = { times: 1 };
    checkpointer.putWrites = async (config, writes, taskId) => {
      const isOuter = (config.configurable?.["checkpoint_ns"] ?? "") === "";
      const isEnd = writes.some(([channel]) => channel === "routing");
      if (isOuter && isEnd && writes.some(([channel]) => channel === "observations")) {
        broken.times -= 1;
        if (broken.times >= 0) throw new Error("the disk is full");
      }
      await putWrites(config, writes, taskId);
    };
    const { graph, runs, assertExhausted } = twoRoutes({
      rules: { physics: /./ },
      physics: [...looking(1), "Three euros."],
      checkpointer,
    });
    await expect(graph.invoke(asking("A lamp?"), thread)).rejects.toThrow(/disk/);
    const done = await graph.invoke(null, thread);
    expect(done).toMatchObject({
      answer: "Three euros.",
      usage: { modelCalls: 2, toolCalls: 1 },
    });
    expect(runs).toEqual(["price lamp 0"]);
    assertExhausted();
  });
});

describe("a limit", () => {
  it.each([
    { name: "of the run", limits: { toolCalls: 2 }, agent: {} },
    { name: "of the route", limits: {}, agent: { limits: { toolCalls: 2 } } },
  ])("$name, reached inside a route, ends it with one last word", async ({ limits, agent }) => {
    const routed = twoRoutes({
      rules: { physics: /./ },
      physics: [...looking(3), "Two of them cost three euros."],
      limits,
      agent,
    });
    const result = await routed.graph.invoke(asking("What do three lamps cost?"));
    expect(result).toMatchObject({
      outcome: { status: "limit", limit: "toolCalls" },
      answer: "Two of them cost three euros.",
      usage: { modelCalls: 4, toolCalls: 2 },
    });
    expect(result.observations.filter(({ ok }) => ok)).toHaveLength(2);
    expect(result.messages.at(-1)?.text).toBe("Two of them cost three euros.");
    routed.assertExhausted();
  });

  it("is told once, by the run that it ended", async () => {
    const options = { earlyStopping: "force" as const };
    const events = await eventsOf(
      twoRoutes({
        rules: { physics: /./ },
        physics: looking(2),
        limits: { toolCalls: 1 },
        agent: options,
        ...options,
      }),
      "Lamps?",
    );
    expect(events.filter(({ type }) => type === "limit_reached")).toHaveLength(1);
  });

  it("reached before a route is found ends the run by itself", async () => {
    const routed = twoRoutes({ limits: { modelCalls: 0 } });
    const { outcome, answer, usage, route } = await routed.graph.invoke(asking("How?"));
    expect(outcome).toEqual({ status: "limit", limit: "modelCalls" });
    expect(answer).toMatch(/^I had to stop.*There are no results yet\.$/);
    expect([usage.modelCalls, route]).toEqual([0, undefined]);
    const events = await eventsOf(routed, "How?");
    expect(events.map(({ type }) => type)).toEqual([
      "run_started",
      "limit_reached",
      "run_finished",
    ]);
  });

  it("of the run's context reaches the route", async () => {
    const { graph, runs } = twoRoutes({
      rules: { physics: /./ },
      physics: looking(5),
      agent: { earlyStopping: "force" },
    });
    const context = { limits: { toolCalls: 1 } };
    expect((await graph.invoke(asking("Lamps?"), { context })).outcome?.limit).toBe("toolCalls");
    expect(runs).toHaveLength(1);
  });
});

describe("a route that comes to no answer", () => {
  it("fails the run with its reason", async () => {
    await using server = await startScriptedServer({ replies: [fault.status(404)] });
    const environment = { OPENAI_API_KEY: "any", OPENAI_BASE_URL: server.url };
    const physics = createReactGraph({ models: "openai:knowing", environment });
    const graph = createRouterGraph({
      routes: { physics: { description: "Nature.", graph: physics } },
    });
    const { outcome, answer, messages } = await graph.invoke(asking("How fast is light?"));
    expect(outcome?.status).toBe("failed");
    expect(outcome?.reason).toContain("404");
    expect(answer).toMatch(/^I could not finish: /);
    expect(messages.at(-1)?.text).toBe(answer);
  });

  it("hands the run off", async () => {
    const physics = createReactGraph({
      models: scriptedModel([
        { toolCalls: [{ name: "hand_off", args: { reason: "This is about the law." } }] },
      ]),
      tools: [handOff],
    });
    const graph = createRouterGraph({
      routes: { physics: { description: "Nature.", graph: physics } },
    });
    expect(await graph.invoke(asking("May I?"))).toMatchObject({
      outcome: { status: "handed_off", reason: "This is about the law." },
      answer: "A person takes over from here: This is about the law.",
    });
  });

  it("is called off with the run", async () => {
    const { slow, seen, signal } = abortingTool();
    const { graph } = twoRoutes({
      router: [choice("physics")],
      physics: [{ toolCalls: [{ name: "slow", args: {} }] }],
      agent: { tools: [slow], toolPolicies: {} },
    });
    await expect(graph.invoke(asking("How?"), { signal })).rejects.toThrow(/abort/i);
    expect(seen).toEqual([true]);
  });
});

describe("what a listener hears", () => {
  it("is both runs, the route's inside the router's, and why it was chosen", async () => {
    const events = await eventsOf(
      twoRoutes({ router: [choice("physics")], physics: [...looking(1), "Three euros."] }),
      "What does a lamp cost?",
    );
    const [outer, inner] = new Set(events.map(({ runId }) => runId));
    const told = events.map(({ type, runId, node }) =>
      [runId === outer ? "router" : "route", node, type].join(" "),
    );
    expect(told).toEqual([
      "router intake run_started",
      "router router model_started",
      "router router model_finished",
      "router router routed",
      "route intake run_started",
      "route agent model_started",
      "route agent model_finished",
      "route tools tool_started",
      "route tools tool_finished",
      "route agent model_started",
      "route agent model_finished",
      "route finalizer run_finished",
      "router finalizer run_finished",
    ]);
    expect(inner).not.toBe(outer);
    expect(events[3]).toMatchObject({
      route: "physics",
      content: { reason: "It is about physics." },
    });
    expect(events.at(-1)).toMatchObject({ usage: { modelCalls: 3, toolCalls: 1 } });
  });

  it("carries no reason at the level metadata", async () => {
    const events = await eventsOf(
      twoRoutes({ router: [choice("physics")], physics: ["Fast."], events: "metadata" }),
      "How?",
    );
    const routed = events.find(({ type }) => type === "routed");
    expect(routed).toMatchObject({ route: "physics" });
    expect(routed).not.toHaveProperty("content");
  });

  it.each([
    { name: "on the run's own stream", subgraphs: false },
    { name: "with the streams of subgraphs", subgraphs: true },
  ])("of the chat is the answer alone, once, $name", async ({ subgraphs }) => {
    const { graph } = twoRoutes({ router: [choice("physics")], physics: ["Very fast."] });
    const config = { streamMode: "messages" as const, subgraphs };
    const chunks: AsyncIterable<unknown> = await graph.stream(asking("How fast is light?"), config);
    const said: BaseMessage[] = [];
    for await (const chunk of chunks) said.push(...[chunk].flat(2).filter(isBaseMessage));
    expect(said.map(({ text }) => text).join("")).toBe("Very fast.");
    expect(new Set(said.map(({ id }) => id)).size).toBe(1);
  });
});
