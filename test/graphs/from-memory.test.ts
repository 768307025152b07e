import { tool } from "@langchain/core/tools";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import {
  type AgentEvent,
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
  createRouterGraph,
  type GraphOptions,
  type Memory,
} from "../../src/index.js";
import { type ModelReply, scriptedModel } from "../../src/testing/index.js";
import {
  calling,
  id,
  orderOf,
  other,
  policy,
  question,
  refundTool,
} from "../support/order-memory.js";
import { finishWith, planText } from "../support/plans.js";
import { respondWith, taskPlanText } from "../support/task-plans.js";
import { choice } from "../support/two-routes.js";

type Options = Pick<GraphOptions, "models" | "tools" | "toolPolicies" | "memory" | "observers">;
type Graph = { invoke(input: typeof question): Promise<unknown> };
const ways: readonly {
  readonly name: string;
  readonly create: (options: Options) => Graph;
  readonly replies: (args: Readonly<Record<string, unknown>>) => readonly ModelReply[];
}[] = [
  { name: "react", create: createReactGraph, replies: (args) => [calling(args), "Done."] },
  {
    name: "rewoo",
    create: createRewooGraph,
    replies: (args) => [planText({ tool: "refund", args: { ...args } }), "Done."],
  },
  {
    name: "llm-compiler",
    create: createLlmCompilerGraph,
    replies: (args) => [planText({ tool: "refund", args: { ...args } }), finishWith("Done.")],
  },
  {
    name: "plan-execute",
    create: createPlanExecuteGraph,
    replies: (args) => [
      taskPlanText({ task: "Refund it." }),
      calling(args),
      "Done.",
      respondWith("Done."),
    ],
  },
];
const rows = ways.flatMap((way) =>
  (["zod", "JSON Schema"] as const).flatMap((form) =>
    [{ reason: "squashed" }, { reason: "squashed", orderId: "made-up" }].map((args) => ({
      ...way,
      form,
      args,
      said: "orderId" in args ? "with an id of its own" : "without one",
    })),
  ),
);

describe("a parameter from memory", () => {
  it.each(rows)("in $name, $form, a model $said: is filled, and no model sees it", async (row) => {
    const { runs, refund } = refundTool(row.form);
    const models = scriptedModel(row.replies(row.args));
    const events: AgentEvent[] = [];
    const graph = row.create({
      models,
      tools: [refund],
      toolPolicies: { refund: policy },
      memory: orderOf(id),
      observers: [{ onEvent: (event) => events.push(event) }],
    });

    await graph.invoke(question);

    expect(runs).toEqual([{ reason: "squashed", orderId: id }]);
    models.assertExhausted();
    const seen = JSON.stringify([
      models.calls.map(({ messages, tools }) => [messages, tools]),
      events,
    ]);
    expect(seen).not.toContain(id);
    expect(JSON.stringify(models.calls.map(({ tools }) => tools))).not.toContain("orderId");
  });

  it("is fitted to its type", async () => {
    const runs: unknown[] = [];
    const refund = tool((args) => void runs.push(args), {
      name: "refund",
      description: "Refunds.",
      schema: z.object({ orderId: z.number() }),
    });
    const graph = createReactGraph({
      models: scriptedModel([calling({}), "Done."]),
      tools: [refund],
      toolPolicies: { refund: policy },
      memory: orderOf("5521"),
    });

    await graph.invoke(question);

    expect(runs).toEqual([{ orderId: 5521 }]);
  });

  it("that does not fit is refused without its value", async () => {
    const { runs, refund } = refundTool();
    const models = scriptedModel([calling(), "Sorry."]);
    const graph = createReactGraph({
      models,
      tools: [refund],
      toolPolicies: { refund: policy },
      memory: orderOf("#9"),
    });

    const { observations } = await graph.invoke(question);

    expect(runs).toEqual([]);
    expect(observations).toMatchObject([{ ok: false, error: { kind: "invalid_arguments" } }]);
    expect(JSON.stringify(models.calls.map(({ messages }) => messages))).not.toContain("#9");
  });

  const unknown: readonly { readonly name: string; readonly memory: Memory }[] = [
    { name: "no memory", memory: {} },
    { name: "nothing known", memory: { order: () => undefined } },
    { name: "no such id", memory: { order: () => ({ text: "Cake.", ids: { shopId: 1 } }) } },
    {
      name: "a failure",
      memory: {
        order: () => {
          throw new Error("down");
        },
      },
    },
  ];
  it.each(unknown)("is refused with $name", async ({ memory }) => {
    const { runs, refund } = refundTool();
    const models = scriptedModel([calling(), "Which order?"]);
    const graph = createReactGraph({
      models,
      tools: [refund],
      toolPolicies: { refund: policy },
      memory,
    });

    const { answer, observations } = await graph.invoke(question);

    expect(runs).toEqual([]);
    expect(answer).toBe("Which order?");
    expect(observations).toMatchObject([
      {
        ok: false,
        attempts: 0,
        error: { kind: "unavailable", message: expect.stringContaining("which order is meant") },
      },
    ]);
  });

  it("runs again for another order, and not for the same", async () => {
    const { runs, refund } = refundTool();
    const orders = [id, id, other];
    const models = scriptedModel([
      calling(),
      calling(undefined, "c2"),
      calling(undefined, "c3"),
      "Done.",
    ]);
    const graph = createReactGraph({
      models,
      tools: [refund],
      toolPolicies: { refund: { ...policy, effect: "write" } },
      memory: { order: () => ({ text: "An order.", ids: { orderId: orders.shift() ?? other } }) },
    });

    const { observations } = await graph.invoke(question);

    expect(runs).toEqual([
      { reason: "squashed", orderId: id },
      { reason: "squashed", orderId: other },
    ]);
    expect(observations.map(({ fromMemory }) => fromMemory)).toEqual([
      { orderId: id },
      undefined,
      { orderId: other },
    ]);
  });

  it("is inherited by the tools of a route", async () => {
    const { runs, refund } = refundTool();
    const models = scriptedModel([choice("orders"), calling(), "Done."]);
    const orders = createReactGraph({
      models,
      tools: [refund],
      toolPolicies: { refund: policy },
    });
    const graph = createRouterGraph({
      models,
      memory: orderOf(id),
      routes: {
        orders: { description: "Orders.", graph: orders },
        other: { description: "The rest.", graph: createReactGraph({ models }) },
      },
    });

    await graph.invoke(question);

    expect(runs).toEqual([{ reason: "squashed", orderId: id }]);
  });

  it("is in the arguments that hooks see and may change", async () => {
    const { runs, refund } = refundTool();
    const seen: unknown[] = [];
    const graph = createReactGraph({
      models: scriptedModel([calling(), "Done."]),
      tools: [refund],
      toolPolicies: { refund: policy },
      memory: orderOf(id),
      wrapToolCall: async (request, handler) => {
        seen.push(request.toolCall.args);
        const args = { ...request.toolCall.args, orderId: other };
        return handler({ ...request, toolCall: { ...request.toolCall, args } });
      },
    });

    await graph.invoke(question);

    expect(seen).toEqual([{ reason: "squashed", orderId: id }]);
    expect(runs).toEqual([{ reason: "squashed", orderId: other }]);
  });
});
