import { tool } from "@langchain/core/tools";
import { MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import type { ToolPolicy } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { planningGraphs } from "../support/planning-graphs.js";
import { planText, type PlannedStep, stepOf } from "../support/plans.js";

const ask = { messages: [{ role: "user" as const, content: "Order tea." }] };
const thread = { configurable: { thread_id: "1" } };
const schema = z.object({ item: z.string() });

/** A stock that an order takes from. */
function shop() {
  let left = 10;
  const stock = tool(() => `${left} left`, { name: "stock", description: "Counts.", schema });
  const order = tool(
    ({ item }) => {
      left -= 1;
      return `ordered ${item}`;
    },
    { name: "order", description: "Orders.", schema },
  );
  return [stock, order];
}

const kept = { "with a checkpointer": true, "without one": false };
const policies: { readonly [name: string]: ToolPolicy } = {
  "a write": { effect: "write" },
  idempotent: { effect: "idempotent" },
  "of no declared effect": {},
};

describe.each(planningGraphs)("the graph $name", ({ create }) => {
  describe.each(Object.entries(kept))("a step that repeats an earlier one, %s,", (_, isKept) => {
    const planned = (policy: ToolPolicy, ...steps: readonly PlannedStep[]) => {
      const models = scriptedModel([planText(...steps), "Done."]);
      const toolPolicies = { order: policy, stock: { effect: "read" as const } };
      const checkpointer = isKept ? { checkpointer: new MemorySaver() } : {};
      return create({ models, tools: shop(), toolPolicies, ...checkpointer });
    };

    it.each(Object.entries(policies))(
      "runs again after an order that is %s",
      async (_name, policy) => {
        const graph = planned(
          policy,
          stepOf("stock", "tea"),
          stepOf("order", "tea", "E1"),
          stepOf("stock", "tea", "E2", "E1"),
          stepOf("order", "milk", "E3"),
          stepOf("stock", "tea", "E4", "E1", "E3"),
        );
        const { observations } = await graph.invoke(ask, thread);
        expect(observations.map(({ content }) => content)).toEqual([
          "10 left",
          "ordered tea",
          "9 left",
          "ordered milk",
          "8 left",
        ]);
      },
    );

    it("is answered from memory where nothing has happened in between", async () => {
      const graph = planned(
        { effect: "write" },
        stepOf("order", "tea"),
        stepOf("stock", "tea", "E1"),
        stepOf("order", "milk", "E2"),
        stepOf("stock", "tea", "E3"),
        stepOf("stock", "tea", "E4"),
        stepOf("stock", "tea", "E2", "E4"),
      );
      const { observations } = await graph.invoke(ask, thread);
      expect(observations.map(({ attempts, value }) => [attempts, value])).toEqual([
        [1, undefined],
        [1, undefined],
        [1, undefined],
        [1, undefined],
        [0, "8 left"],
        [0, "8 left"],
      ]);
    });
  });
});
