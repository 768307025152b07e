import { Command, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";

import { createReactGraph } from "../../src/index.js";
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

const make = (
  checkpointer: MemorySaver,
  orderId: string,
  replies: readonly ModelReply[],
  stop?: () => void,
) => {
  const { runs, refund } = refundTool();
  const models = scriptedModel(replies);
  const graph = createReactGraph({
    models,
    tools: [refund],
    toolPolicies: { refund: { ...policy, effect: "write" } },
    memory: orderOf(orderId),
    checkpointer,
    wrapToolCall: async (request, handler) => {
      stop?.();
      return stop === undefined ? handler(request) : new Promise(() => {});
    },
  });
  return { graph, models, runs };
};
const interrupted = async (checkpointer: MemorySaver) => {
  const controller = new AbortController();
  const before = make(checkpointer, id, [calling()], () => {
    controller.abort(new Error("stopped"));
  });
  const run = before.graph.invoke(question, { ...thread, signal: controller.signal });
  await expect(run).rejects.toThrow("stopped");
};

describe("a write with a parameter from memory that was interrupted", () => {
  it("is told to no model with its value when the user writes on", async () => {
    const checkpointer = new MemorySaver();
    await interrupted(checkpointer);

    const after = make(checkpointer, other, ["I will look."]);
    const { answer } = await after.graph.invoke(ask("And?"), thread);

    expect(answer).toBe("I will look.");
    const told = JSON.stringify(after.models.calls.map(({ messages }) => messages));
    expect(told).toContain("may have taken effect");
    expect(told).not.toMatch(/id-5521-x|id-7702-y/);
  });

  it("is asked about with its value when the run continues, and repeated for the same order", async () => {
    const checkpointer = new MemorySaver();
    await interrupted(checkpointer);

    const after = make(checkpointer, other, ["Done."]);
    const paused = await after.graph.invoke(null, thread);

    expect(asked(paused).action_requests).toMatchObject([
      { args: { reason: "squashed", orderId: id }, from_memory: ["orderId"] },
    ]);
    const { answer } = await after.graph.invoke(
      new Command({ resume: { decisions: [{ type: "approve" }] } }),
      thread,
    );

    expect(answer).toBe("Done.");
    expect(after.runs).toEqual([{ reason: "squashed", orderId: id }]);
  });
});
