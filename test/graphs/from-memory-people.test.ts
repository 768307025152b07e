import { Command, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";

import { createReactGraph, createRewooGraph, type Decision } from "../../src/index.js";
import { type ModelReply, scriptedModel } from "../../src/testing/index.js";
import { asked } from "../support/asked.js";
import { ask } from "../support/middleware.js";
import {
  calling,
  id,
  orderOf,
  other,
  policy,
  question,
  refundTool,
  thread,
} from "../support/order-memory.js";
import { planText } from "../support/plans.js";

const create = (
  checkpointer: MemorySaver | undefined,
  orderId: string,
  replies: readonly ModelReply[],
) => {
  const { runs, refund } = refundTool();
  const models = scriptedModel(replies);
  const graph = createReactGraph({
    models,
    tools: [refund],
    toolPolicies: { refund: { ...policy, effect: "write", needsApproval: true } },
    memory: orderOf(orderId),
    ...(checkpointer === undefined ? {} : { checkpointer }),
  });
  return { graph, models, runs };
};

describe("an approval of a call with a parameter from memory", () => {
  const decisions: readonly {
    readonly name: string;
    readonly decision: Decision;
    readonly refunded: string;
    readonly reason?: string;
  }[] = [
    { name: "approve", decision: { type: "approve" }, refunded: id },
    {
      name: "an edit of another argument",
      decision: {
        type: "edit",
        edited_action: { name: "refund", args: { reason: "late", orderId: id } },
      },
      refunded: id,
      reason: "late",
    },
    {
      name: "an edit that leaves it out",
      decision: { type: "edit", edited_action: { name: "refund", args: { reason: "late" } } },
      refunded: id,
      reason: "late",
    },
    {
      name: "an edit of its value",
      decision: {
        type: "edit",
        edited_action: { name: "refund", args: { reason: "late", orderId: other } },
      },
      refunded: other,
      reason: "late",
    },
  ];
  const shown = {
    name: "refund",
    args: { reason: "squashed", orderId: id },
    from_memory: ["orderId"],
  };

  it.each(decisions)("carries out $name, after a pause, in another process", async (row) => {
    const { decision, refunded, reason = "squashed" } = row;
    const checkpointer = new MemorySaver();
    const before = create(checkpointer, id, [calling()]);

    const paused = await before.graph.invoke(question, thread);

    expect(asked(paused).action_requests).toMatchObject([shown]);
    const after = create(checkpointer, "id-of-another-order", ["Done."]);
    const resume = { decisions: [decision] };
    const { answer } = await after.graph.invoke(new Command({ resume }), thread);
    expect(answer).toBe("Done.");
    expect([...before.runs, ...after.runs]).toEqual([{ reason, orderId: refunded }]);
    const requests = [...before.models.calls, ...after.models.calls];
    expect(JSON.stringify(requests.map(({ messages }) => messages))).not.toMatch(
      /id-5521-x|id-7702-y|id-of-another/,
    );
  });

  it.each(decisions)("carries out $name, handed back without a checkpointer", async (row) => {
    const { decision, refunded, reason = "squashed" } = row;
    const before = create(undefined, id, [calling()]);

    const result = await before.graph.invoke(question);

    expect(result.outcome?.requests?.action_requests).toMatchObject([shown]);
    const after = create(undefined, "id-of-another-order", ["Done."]);
    const { answer } = await after.graph.invoke({ ...result, decisions: [decision] });
    expect(answer).toBe("Done.");
    expect(after.runs).toEqual([{ reason, orderId: refunded }]);
  });

  it("tells no model of it when the user writes on instead", async () => {
    const checkpointer = new MemorySaver();
    const before = create(checkpointer, id, [calling()]);
    await before.graph.invoke(question, thread);

    const after = create(checkpointer, other, ["Fine."]);
    await after.graph.invoke(ask("Never mind."), thread);

    expect(after.runs).toEqual([]);
    expect(JSON.stringify(after.models.calls.map(({ messages }) => messages))).not.toContain(id);
  });
});

describe("an approval of a planned step with a parameter from memory", () => {
  it("refunds the approved order, though the person has gone on to another", async () => {
    const checkpointer = new MemorySaver();
    const make = (orderId: string, replies: readonly ModelReply[]) => {
      const { runs, refund } = refundTool();
      const models = scriptedModel(replies);
      const toolPolicies = { refund: { ...policy, needsApproval: true } };
      const memory = orderOf(orderId);
      const options = { models, tools: [refund], toolPolicies, memory, checkpointer };
      return { graph: createRewooGraph(options), models, runs };
    };
    const plan = planText({ tool: "refund", args: { reason: "squashed" } });
    const before = make(id, [plan]);

    const paused = await before.graph.invoke(question, thread);

    expect(asked(paused).action_requests).toMatchObject([
      { args: { reason: "squashed", orderId: id }, from_memory: ["orderId"] },
    ]);
    const after = make(other, ["Done."]);
    const resume = { decisions: [{ type: "approve" }] };
    const { answer } = await after.graph.invoke(new Command({ resume }), thread);
    expect(answer).toBe("Done.");
    expect(after.runs).toEqual([{ reason: "squashed", orderId: id }]);
    const told = [...before.models.calls, ...after.models.calls].map(({ messages }) => messages);
    expect(JSON.stringify(told)).not.toMatch(/id-5521-x|id-7702-y/);
  });
});

describe("a policy with fromMemory", () => {
  it.each([
    {
      fromMemory: { order: "order.orderId" },
      message:
        'The policy of "refund" takes "order" from memory, which is no parameter. The parameters are: orderId, reason.',
    },
    { fromMemory: { orderId: "order" }, message: 'expected "name.id", such as "order.orderId"' },
    { fromMemory: { orderId: "" }, message: 'expected "name.id", such as "order.orderId"' },
    { fromMemory: { orderId: "the order.id" }, message: 'expected "name.id"' },
  ])("is refused when the graph is made: $fromMemory", ({ fromMemory, message }) => {
    const { refund } = refundTool();
    expect(() =>
      createReactGraph({ tools: [refund], toolPolicies: { refund: { fromMemory } } }),
    ).toThrow(
      expect.objectContaining({
        code: "invalid_tool",
        message: expect.stringContaining(message),
      }),
    );
  });
});
