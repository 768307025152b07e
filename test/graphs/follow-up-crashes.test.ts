import { HumanMessage } from "@langchain/core/messages";
import { expect, it } from "vitest";

import { type AgentGraph, asTool, createReactGraph, createRouterGraph } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";
import { DyingSaver } from "../support/dying-saver.js";
import { asRunnable } from "../support/hosts.js";
import { listeners } from "../support/listeners.js";
import { timesOf } from "../support/rows.js";
import { question, type Shared, type Shop, shops, thread, toolPolicies } from "../support/shops.js";

type Kept = Shared & { readonly checkpointer: DyingSaver };

/** Where a graph is put: the saver keeps what is around it. */
const places = [
  { place: "", around: (graph: AgentGraph) => graph },
  {
    place: " as a route",
    around: (graph: AgentGraph, { checkpointer }: Kept) =>
      createRouterGraph({
        routes: { shop: { description: "Sells.", graph, when: /./ } },
        models: scriptedModel([]),
        checkpointer,
      }),
  },
  {
    place: " as a tool",
    around: (graph: AgentGraph, { checkpointer }: Kept) =>
      createReactGraph({
        tools: [asTool(graph, { name: "shop", description: "Sells." })],
        models: scriptedModel((messages) =>
          messages.at(-1)?.type === "tool"
            ? "Done."
            : { toolCalls: [{ name: "shop", args: { question: "Order tea." }, id: "shop-1" }] },
        ),
        checkpointer,
      }),
  },
];

/** What a new question on a thread tells the model that is asked first. */
async function toldNext(name: Shop, { around, place }: (typeof places)[number], shared: Kept) {
  const { create, reply } = place === " as a tool" ? listeners.react : listeners[name];
  using models = scriptedModel([reply]);
  const { tools } = shared;
  const graph =
    place === " as a route"
      ? around(create({ tools, toolPolicies, models }), shared)
      : create({ ...shared, models });
  const next = { messages: [new HumanMessage("What have you done?")] };
  const { answer } = await asRunnable(graph).invoke(next, thread());
  expect(answer).toBe("I see.");
  return models.calls[0]?.messages.map(({ text }) => text).join("\n") ?? "";
}

/** Cuts a run off behind its first records, and asks something else then; nothing where it ended before. */
async function cutOff(
  { name, create }: (typeof shops)[number],
  place: (typeof places)[number],
  records: number,
) {
  const checkpointer = new DyingSaver();
  const { tools, runs } = countingTools("price", "order", "stock");
  const shared = { tools, toolPolicies, checkpointer };
  const graph = asRunnable(
    place.place === "" ? create(shared) : place.around(create({ tools, toolPolicies }), shared),
  );
  checkpointer.left = records;
  const isCut = await graph.invoke(question, thread()).then(
    () => false,
    (error: unknown) => String(error).includes("the program stopped"),
  );
  checkpointer.left = Infinity;
  if (!isCut) return undefined;
  const isOrdered = runs.includes("order tea");
  const told = await toldNext(name, place, shared);
  return { records, isOrdered, told };
}

/** A run is cut off behind its first record, and behind every so manyth one after it. */
const every = timesOf({ all: 1, usually: 5 });

const cases = shops.flatMap((shop) =>
  places.map((place) => ({ title: `${shop.name}${place.place}`, shop, place })),
);

it.each(cases)(
  "a question after a crash of $title tells the model of a write that was made, or may have been",
  async ({ shop, place }) => {
    const cuts: NonNullable<Awaited<ReturnType<typeof cutOff>>>[] = [];
    for (let cut = await cutOff(shop, place, 1); cut !== undefined;) {
      cuts.push(cut);
      cut = await cutOff(shop, place, cut.records + every);
    }
    const ordered = cuts.filter(({ isOrdered }) => isOrdered);
    expect(ordered.length).toBeGreaterThan(3 / every);
    // A tool whose answer is there has said what it did.
    const saysSo =
      place.place === " as a tool"
        ? /order of tea|may have taken effect|^Done\.$/m
        : /order of tea|may have taken effect/;
    const silent = ordered.filter(({ told }) => !saysSo.test(told));
    expect(silent).toEqual([]);
    const denied = ordered.filter(({ told }) => /order.*not run/i.test(told));
    expect(denied).toEqual([]);
    const invented = cuts.filter(
      ({ isOrdered, told }) => !isOrdered && told.includes("order of tea"),
    );
    expect(invented).toEqual([]);
  },
);
