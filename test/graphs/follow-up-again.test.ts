import assert from "node:assert/strict";

import { type BaseMessage, HumanMessage, isToolMessage } from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { expect, it, onTestFinished } from "vitest";

import {
  asTool,
  createPlanExecuteGraph,
  createReactGraph,
  createRouterGraph,
  unfinishedRuns,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { asked } from "../support/asked.js";
import { countingTools, stoppingTools } from "../support/counting-tools.js";
import { DyingSaver } from "../support/dying-saver.js";
import { asRunnable } from "../support/hosts.js";
import { type Listening, listeners, toldNext } from "../support/listeners.js";
import { someOf } from "../support/rows.js";
import { question, shops, thread, toolPolicies } from "../support/shops.js";
import { respondWith, taskPlanText } from "../support/task-plans.js";

type OneShop = (typeof shops)[number];
type Stopped = Listening & { readonly checkpointer: DyingSaver };

const anything = () => new HumanMessage("Are you there?");
const orderTea = () => new HumanMessage({ id: "order", content: "Order tea." });

/** Has the order made in a program that stops so many records later. */
async function orderAndStop(shop: OneShop, records: number): Promise<Stopped> {
  const checkpointer = new DyingSaver();
  const { tools, runs } = countingTools("price", "order", "stock");
  const stopping = tools.map((each) =>
    each.name === "order"
      ? Object.assign(each, { func: stopAfter(each.func, checkpointer, records) })
      : each,
  );
  const shared = { tools: stopping, toolPolicies, checkpointer };
  const graph = asRunnable(shop.create(shared));
  await expect(graph.invoke({ messages: [orderTea()] }, thread())).rejects.toThrow(
    "the program stopped",
  );
  expect(runs).toContain("order tea");
  checkpointer.left = Infinity;
  return shared;
}

function stopAfter<Given extends readonly unknown[], Made>(
  func: (...given: Given) => Made,
  checkpointer: DyingSaver,
  records: number,
) {
  return (...given: Given): Made => {
    checkpointer.left = records;
    return func(...given);
  };
}

/** Another question, whose run stops so many records after its beginning. */
async function askAndStop({ name }: OneShop, shared: Stopped, records: number, next = anything()) {
  const { create, reply } = listeners[name];
  const graph = asRunnable(create({ ...shared, models: scriptedModel(() => reply) }));
  shared.checkpointer.left = records;
  const run = graph.invoke({ messages: [next] }, thread());
  await expect(run).rejects.toThrow("the program stopped");
  shared.checkpointer.left = Infinity;
}

async function edit({ create }: OneShop, shared: Stopped) {
  const graph: unknown = create({ ...shared, toolPolicies });
  assert(typeof graph === "object" && graph !== null && "updateState" in graph);
  assert(typeof graph.updateState === "function");
  await graph.updateState(thread(), { messages: [new HumanMessage("I am in a hurry.")] }, "intake");
}

/** What may happen between an order whose run never ended and a question about it. */
const ways: readonly {
  readonly way: string;
  readonly ask: (shop: OneShop, shared: Stopped) => Promise<{ readonly told: string }>;
}[] = [
  {
    way: "when the same message comes again",
    ask: ({ name }, shared) => toldNext(name, shared, thread(), orderTea()),
  },
  {
    way: "when the same message comes a third time",
    ask: async (shop, shared) => {
      await askAndStop(shop, shared, 6, orderTea());
      return toldNext(shop.name, shared, thread(), orderTea());
    },
  },
  {
    way: "when its caller has changed the state",
    ask: async (shop, shared) => {
      await edit(shop, shared);
      return toldNext(shop.name, shared, thread());
    },
  },
  {
    way: "when its caller has changed the state twice, and another question's run stopped",
    ask: async (shop, shared) => {
      await edit(shop, shared);
      await edit(shop, shared);
      await askAndStop(shop, shared, 3);
      return toldNext(shop.name, shared, thread());
    },
  },
  ...[1, 2, 3, 5, 6].map((records) => ({
    way: `when another question's run stopped behind record ${records}`,
    ask: async (shop: OneShop, shared: Stopped) => {
      await askAndStop(shop, shared, records);
      return toldNext(shop.name, shared, thread());
    },
  })),
  {
    way: "when another question was answered",
    ask: async (shop, shared) => {
      await toldNext(shop.name, shared, thread());
      return toldNext(shop.name, shared, thread());
    },
  },
];

const rows = shops.flatMap((shop) =>
  ways.map((row, turn) => ({ ...row, shop, name: shop.name, turn })),
);

it.each(someOf(rows, 2))(
  "$name tells of an order whose run never ended, $way",
  async ({ shop, ask, turn }) => {
    for (const records of someOf([0, 1, 3], 3, turn)) {
      const { told } = await ask(shop, await orderAndStop(shop, records));
      expect(told).toMatch(/order of tea|may have taken effect/);
      expect(told).not.toMatch(/order.*not run/i);
    }
  },
);

it.each(shops)("$name finds what was left on a thread whose id is a number", async (shop) => {
  const checkpointer = SqliteSaver.fromConnString(":memory:");
  onTestFinished(() => void checkpointer.db.close());
  const { tools, signal } = stoppingTools();
  const shared = { tools, toolPolicies, checkpointer };
  const config = { configurable: { thread_id: 7 } };
  const run = asRunnable(shop.create(shared)).invoke(question, { ...config, signal });
  await expect(run).rejects.toThrow("abort");
  expect((await toldNext(shop.name, shared, config)).told).toContain("may have taken effect");
});

it.each(shops)(
  "$name tells of an order where another question goes on from the middle of a run that ended since",
  async ({ name, create }) => {
    const checkpointer = new MemorySaver();
    const { tools } = countingTools("price", "order", "stock");
    const shared = { tools, toolPolicies, checkpointer };
    await asRunnable(create(shared)).invoke(question, thread());
    const own = { configurable: { thread_id: "1", checkpoint_ns: "" } };
    let forks = 0;
    for await (const { config, checkpoint } of checkpointer.list(own)) {
      const { observations, outcome } = checkpoint.channel_values;
      const isOrdered = JSON.stringify(observations ?? []).includes("order of tea");
      if (!isOrdered || outcome !== undefined) continue;
      forks += 1;
      expect((await toldNext(name, shared, config)).told).toContain("order of tea");
    }
    expect(forks).toBeGreaterThan(0);
  },
);

/** Orders tea, then milk. */
function orderBoth(messages: readonly BaseMessage[]) {
  const item = ["tea", "milk"][messages.filter(isToolMessage).length];
  return item === undefined
    ? "Done."
    : { toolCalls: [{ name: "order", args: { item }, id: `order-${item}` }] };
}

const withApproval = { order: { effect: "write", needsApproval: true } } as const;

/** Graphs whose parts ask about two orders, one after the other. */
const askingTwice = [
  {
    place: "a task of plan-execute",
    listener: "plan-execute" as const,
    create: (given: Listening) =>
      createPlanExecuteGraph({
        ...given,
        models: {
          planner: scriptedModel(() => taskPlanText("Buy tea.", "Buy milk.")),
          executor: scriptedModel(orderBoth),
          replanner: scriptedModel(() => respondWith("Done.")),
        },
      }),
  },
  {
    place: "a graph that is a tool",
    listener: "react" as const,
    create: ({ checkpointer, ...given }: Listening) =>
      createReactGraph({
        checkpointer,
        tools: [
          asTool(createReactGraph({ ...given, models: scriptedModel(orderBoth) }), {
            name: "shop",
            description: "Sells.",
          }),
        ],
        models: scriptedModel((messages) =>
          messages.some(isToolMessage)
            ? "Done."
            : { toolCalls: [{ name: "shop", args: { question: "Order." }, id: "shop-1" }] },
        ),
      }),
  },
  {
    place: "a route",
    listener: "react" as const,
    create: ({ checkpointer, ...given }: Listening) =>
      createRouterGraph({
        checkpointer,
        models: scriptedModel([]),
        routes: {
          shop: {
            description: "Sells.",
            when: /./,
            graph: createReactGraph({ ...given, models: scriptedModel(orderBoth) }),
          },
        },
      }),
  },
];

it.each(askingTwice)(
  "a question while $place waits for its second approval hears what the first one did",
  async ({ create, listener }) => {
    const checkpointer = new MemorySaver();
    const { tools, runs } = countingTools("order");
    const shared = { tools, toolPolicies: withApproval, checkpointer };
    const graph = asRunnable(create(shared));
    const [first] = asked(await graph.invoke(question, thread())).action_requests;
    const resume = { decisions: [{ type: "approve", id: first?.id }] };
    const [second] = asked(await graph.invoke(new Command({ resume }), thread())).action_requests;
    expect(second?.args).toEqual({ item: "milk" });
    expect(await unfinishedRuns(checkpointer)).toMatchObject([
      { status: "paused", inFlight: [], requests: [{ action_requests: [{ id: second?.id }] }] },
    ]);
    // A thread may go to any graph.
    const { told } = await toldNext(listener, shared, thread());
    expect(told).toContain('order({"item":"tea"}): order of tea');
    expect(told).toMatch(/order\(\{"item":"milk"\}\) FAILED: Not approved and not run/);
    expect(told).not.toContain("may have taken effect");
    expect(runs).toEqual(["order tea"]);
  },
);
