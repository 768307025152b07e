import { tool } from "@langchain/core/tools";
import { RunnableLambda } from "@langchain/core/runnables";
import { Command, interrupt, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { asTool, createPlanExecuteGraph, type PlanExecuteOptions } from "../../src/index.js";
import { askedReads } from "../support/asked-reads.js";
import { asked } from "../support/asked.js";
import { countingTools } from "../support/counting-tools.js";
import { asRunnable, type HostedGraph, hosts } from "../support/hosts.js";
import { askingAgent } from "../support/sub-agents.js";
import { calling, taskModels, type TaskTurns } from "../support/task-models.js";
import { continueWith, respondWith, taskPlanText } from "../support/task-plans.js";
import { someOf } from "../support/rows.js";

const question = { messages: [{ role: "user" as const, content: "Order all of it." }] };
const thread = { configurable: { thread_id: "1" } };
const approve = { type: "approve" };
const answer = (...decisions: unknown[]) =>
  new Command<unknown, Record<string, never>, never>({ resume: { decisions } });

const ordering = (item: string) => [calling("price", item), calling("order", item), `${item} done`];
const orders: TaskTurns = {
  "Order tea.": ordering("tea"),
  "Order milk.": ordering("milk"),
  "Order salt.": ordering("salt"),
  "Price cocoa.": [calling("price", "cocoa"), "Cocoa costs 2."],
};

/** Carries out two orders with approval, side by side where they change nothing, and a third after them. */
function shop(options: PlanExecuteOptions = {}, replans = [respondWith("Ordered.")]) {
  const { tools, runs } = countingTools("price", "order");
  const tasks = [
    { task: "Order tea." },
    { task: "Order milk." },
    { task: "Order salt.", after: ["S1", "S2"] },
  ];
  const models = taskModels([taskPlanText(...tasks)], orders, replans);
  const toolPolicies = { order: askedReads };
  const graph = createPlanExecuteGraph({ toolPolicies, ...options, models, tools });
  return { graph, runs, models };
}

const all = ["price tea", "price milk", "order tea", "order milk", "price salt", "order salt"];

const places = Object.entries({ "at top level": undefined, ...hosts });

describe.each(someOf(places, 2))("a plan of tasks, %s,", (_, host) => {
  /** The options of a graph in this place, and the place. */
  const place = () => {
    const checkpointer = new MemorySaver();
    const kept = host === undefined ? { checkpointer } : {};
    const put = (graph: HostedGraph) =>
      asRunnable(host === undefined ? graph : host(graph, checkpointer));
    return { kept, put };
  };

  it.each([
    { name: "of no declared effect", order: { needsApproval: true } },
    { name: "that are writes", order: { needsApproval: true, effect: "write" as const } },
  ])("with orders $name runs its tasks in order, and repeats nothing", async ({ order }) => {
    const { kept, put } = place();
    const { graph, runs, models } = shop({ toolPolicies: { order }, ...kept });
    const hosted = put(graph);
    let result = await hosted.invoke(question, thread);
    const inOrder = ["tea", "milk", "salt"].flatMap((item) => [`price ${item}`, `order ${item}`]);
    for (const [at, id] of ["S1", "S2", "S3"].entries()) {
      expect(asked(result).action_requests).toMatchObject([
        { description: expect.stringContaining(`${id}: Run order?`) },
      ]);
      expect(runs).toEqual(inOrder.slice(0, 2 * at + 1));
      result = await hosted.invoke(answer(approve), thread);
    }
    expect(result.messages.at(-1)?.text).toBe("Ordered.");
    expect(runs).toEqual(inOrder);
    expect(models.executor.calls).toHaveLength(9);
    models.replanner.assertExhausted();
  });

  it("with orders that only read pauses and repeats nothing", async () => {
    const { kept, put } = place();
    const { graph, runs, models } = shop(kept);
    const hosted = put(graph);
    const paused = await hosted.invoke(question, thread);
    expect(asked(paused).action_requests.map(({ description }) => description)).toEqual([
      expect.stringMatching(/S1: Run order\?/),
      expect.stringMatching(/S2: Run order\?/),
    ]);
    expect(runs).toEqual(all.slice(0, 2));
    const again = await hosted.invoke(answer(approve, approve), thread);
    expect(asked(again).action_requests).toHaveLength(1);
    const done = await hosted.invoke(answer(approve), thread);
    expect(done.messages.at(-1)?.text).toBe("Ordered.");
    expect(runs).toEqual(all);
    expect(models.executor.calls).toHaveLength(9);
    models.replanner.assertExhausted();
  });

  it("that a person sees first is shown, edited, and asked about again where that does not fit", async () => {
    const { kept, put } = place();
    const { graph, runs, models } = shop({ reviewPlan: true, ...kept });
    const hosted = put(graph);
    const paused = await hosted.invoke(question, thread);
    expect(asked(paused).action_requests).toMatchObject([
      { name: "plan", description: expect.stringContaining("Carry out this plan?\nS1. Order") },
    ]);
    const edited = (...steps: object[]) =>
      answer({ type: "edit", edited_action: { name: "plan", args: { steps } } });
    const again = await hosted.invoke(edited(), thread);
    expect(JSON.stringify(asked(again))).toContain("at least one step");
    const done = await hosted.invoke(edited({ task: "Price cocoa." }), thread);
    expect(done.messages.at(-1)?.text).toBe("Ordered.");
    expect(runs).toEqual(["price cocoa"]);
    models.replanner.assertExhausted();
  });

  it("with tools that interrupt by themselves asks one at a time, then for approvals, and repeats nothing", async () => {
    const { kept, put } = place();
    const { tools, runs } = countingTools("price", "order");
    const size = tool(
      ({ item }) => {
        const said = String(interrupt({ question: `Which size of ${item}?` }));
        runs.push(`size ${item}`);
        return said;
      },
      { name: "size", description: "Size.", schema: z.object({ item: z.string() }) },
    );
    const models = taskModels(
      [
        taskPlanText(
          { task: "Size shirt." },
          { task: "Order tea." },
          { task: "Size socks." },
          { task: "Price all.", after: ["S1", "S2", "S3"] },
        ),
      ],
      {
        ...orders,
        "Size shirt.": [calling("price", "shirt"), calling("size", "shirt"), "A big shirt."],
        "Size socks.": [calling("size", "socks"), "Small socks."],
        "Price all.": [calling("price", "all"), "9 in all."],
      },
      [respondWith("Priced.")],
    );
    const toolPolicies = { order: askedReads };
    const options = { ...kept, models, tools: [...tools, size], toolPolicies };
    const hosted = put(createPlanExecuteGraph(options));
    const first: unknown = await hosted.invoke(question, thread);
    expect(JSON.stringify(first)).toContain("Which size of shirt?");
    const second: unknown = await hosted.invoke(new Command({ resume: "big" }), thread);
    expect(JSON.stringify(second)).toContain("Which size of socks?");
    const third: unknown = await hosted.invoke(new Command({ resume: "small" }), thread);
    expect(asked(third).action_requests).toMatchObject([{ args: { item: "tea" } }]);
    const done = await hosted.invoke(answer(approve), thread);
    expect(done.messages.at(-1)?.text).toBe("Priced.");
    expect(runs.toSorted()).toEqual([
      "order tea",
      "price all",
      "price shirt",
      "price tea",
      "size shirt",
      "size socks",
    ]);
    expect(models.executor.calls).toHaveLength(3 + 3 + 2 + 2);
  });
});

describe("a plan of tasks as a tool", () => {
  it.each([
    { place: "where nothing can pause", options: {} },
    { place: "where the run can pause", options: { checkpointer: new MemorySaver() } },
  ])("asks about its plan and its steps through the calling run, $place", async ({ options }) => {
    const inner = shop({ reviewPlan: true });
    const expert = asTool(inner.graph, { name: "expert", description: "Orders." });
    const { graph, models } = askingAgent([expert], options);
    const pauses = "checkpointer" in options;
    let result = await graph.invoke(question, thread);
    const seen: string[] = [];
    const rejected = {
      type: "edit" as const,
      edited_action: { name: "plan", args: { steps: [] } },
    };
    const yes = { type: "approve" as const };
    for (const decisions of [[rejected], [yes], [yes, yes], [yes]]) {
      const requests = pauses ? asked(result) : result.outcome?.requests;
      seen.push(requests?.action_requests.map(({ description }) => description).join() ?? "");
      result = pauses
        ? await graph.invoke(new Command({ resume: { decisions } }), thread)
        : await graph.invoke({ ...result, decisions });
    }
    expect(seen).toEqual([
      expect.stringMatching(/^expert: Carry out this plan\?\nS1\. Order tea\.\n.*\nS3\. [^\n]*$/),
      expect.stringMatching(/^expert: Carry out this plan\?.*could not be used: .*one step/s),
      expect.stringMatching(/^expert: S1: Run order\?.*,expert: S2: Run order\?/),
      expect.stringMatching(/^expert: S3: Run order\?/),
    ]);
    expect(result).toMatchObject({
      answer: "Done.",
      usage: { modelCalls: 2 + 1 + 9 + 1, toolCalls: 1 + 6 },
      observations: [{ callId: "expert", ok: true, content: "Ordered." }],
    });
    expect(inner.runs).toEqual(all);
    models.assertExhausted();
  });

  it("of a plan of tasks asks with the steps of both", async () => {
    const inner = shop();
    const expert = asTool(inner.graph, { name: "expert", description: "Orders." });
    const models = taskModels([taskPlanText({ task: "Let it be ordered.", final: true })], {
      "Let it be ordered.": [
        { toolCalls: [{ name: "expert", args: { question: "Order." }, id: "ask" }] },
        "All is ordered.",
      ],
    });
    const graph = createPlanExecuteGraph({
      models,
      tools: [expert],
      checkpointer: new MemorySaver(),
    });
    const paused = await graph.invoke(question, thread);
    expect(asked(paused).action_requests.map(({ description }) => description)).toEqual([
      expect.stringMatching(/^S1: expert: S1: Run order\?/),
      expect.stringMatching(/^S1: expert: S2: Run order\?/),
    ]);
    await graph.invoke(answer(approve, approve), thread);
    const done = await graph.invoke(answer(approve), thread);
    expect(done).toMatchObject({ answer: "All is ordered.", outcome: { status: "answered" } });
    expect(inner.runs).toEqual(all);
    expect(done.usage).toMatchObject({ modelCalls: 1 + 2 + 1 + 9 + 1, toolCalls: 1 + 6 });
  });
});

it("a plan of tasks in a chain gives its answer to the next link", async () => {
  const { tools } = countingTools("price");
  const models = taskModels([taskPlanText({ task: "Price cocoa.", final: true })], orders);
  const graph = createPlanExecuteGraph({ models, tools });
  const chain = RunnableLambda.from((content: string) => ({
    messages: [{ role: "user", content }],
  }))
    .pipe(asRunnable(graph))
    .pipe(({ answer: said }: { readonly answer: string }) => said.toUpperCase());
  expect(await chain.invoke("What does cocoa cost?")).toBe("COCOA COSTS 2.");
});

describe("on a thread", () => {
  it("a second question sees nothing of a plan that waits, and counts anew", async () => {
    const { tools, runs } = countingTools("price", "order");
    const models = taskModels(
      [
        taskPlanText({ task: "Price cocoa." }, { task: "Order tea." }),
        taskPlanText({ task: "Price cocoa." }),
      ],
      orders,
      [continueWith({ id: "S2", task: "Order milk." }), respondWith("Ordered.")],
    );
    const graph = createPlanExecuteGraph({
      models,
      tools,
      toolPolicies: { order: { needsApproval: true } },
      checkpointer: new MemorySaver(),
    });
    await graph.invoke(question, thread);
    const milk = { messages: [{ role: "user" as const, content: "Only milk, please." }] };
    const paused = await graph.invoke(milk, thread);
    expect(asked(paused).action_requests).toMatchObject([{ args: { item: "milk" } }]);
    const done = await graph.invoke(answer(approve), thread);
    expect(done).toMatchObject({
      answer: "Ordered.",
      objective: "Only milk, please.",
      replans: 1,
      steps: [{ task: "Price cocoa." }, { task: "Order milk." }],
      usage: { modelCalls: 1 + 2 + 1 + 3 + 1, toolCalls: 3 },
    });
    expect(done.observations).toHaveLength(2);
    expect(runs).toEqual(["price cocoa", "price tea", "price cocoa", "price milk", "order milk"]);
  });

  it.each([
    { name: "with a checkpointer", checkpointer: new MemorySaver() },
    { name: "without one", checkpointer: undefined },
  ])("the time that people take does not count, $name", async ({ checkpointer }) => {
    let now = 0;
    const clock = { now: () => now, sleep: async () => {}, random: () => 0 };
    const kept = checkpointer === undefined ? {} : { checkpointer };
    const limits = { seconds: 60 };
    const options = { ...kept, clock, limits, stepLimits: limits, reviewPlan: true };
    const { graph, runs } = shop(options);
    let result = await graph.invoke(question, thread);
    for (const count of [1, 2, 1]) {
      now += 24 * 3_600_000;
      const decisions = Array.from({ length: count }, () => ({ type: "approve" as const }));
      result =
        checkpointer === undefined
          ? await graph.invoke({ ...result, decisions })
          : await graph.invoke(new Command({ resume: { decisions } }), thread);
    }
    expect(result).toMatchObject({ answer: "Ordered.", outcome: { status: "answered" } });
    expect(result.run?.activeMs).toBe(0);
    expect(runs).toEqual(all);
  });
});
