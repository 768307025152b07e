import { tool } from "@langchain/core/tools";
import { MemorySaver } from "@langchain/langgraph";
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";

import { createReactGraph, type ToolPolicy, withPolicy } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { ask } from "../support/middleware.js";

const call = (name: string, args: Readonly<Record<string, unknown>>, id: string) => ({
  toolCalls: [{ name, args, id }],
});
const Question = z.object({ question: z.string() });

/** A tool behind which a model answers. */
function expert(
  answer: () => string | Promise<string>,
  policy: Omit<ToolPolicy, "grounded" | "needsApproval"> = {},
) {
  const runs: string[] = [];
  const asked = tool(
    ({ question }) => {
      runs.push(question);
      return answer();
    },
    { name: "expert", description: "Asks an expert.", schema: Question },
  );
  return { runs, asked: withPolicy(asked, { effect: "read", isModel: true, ...policy }) };
}

afterEach(() => {
  vi.useRealTimers();
});

const unreachable = () => {
  throw Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
};
const slow = () =>
  new Promise<string>((resolve) => {
    setTimeout(() => resolve("3 euros"), 100_000);
  });

describe("a tool whose result a model writes", () => {
  it.each([
    { name: "once", policy: {}, runs: 1 },
    { name: "as its policy says", policy: { retry: { attempts: 2, baseMs: 1 } }, runs: 2 },
    { name: "as any reading tool where no model writes it", policy: { isModel: false }, runs: 3 },
  ])("is tried $name", async ({ policy, runs }) => {
    const { asked, runs: made } = expert(unreachable, policy);
    const models = scriptedModel([call("expert", { question: "Tea?" }, "1"), "I do not know."]);
    const clock = { now: () => 0, sleep: async () => {}, random: () => 0 };
    await createReactGraph({ models, tools: [asked], clock }).invoke(ask("Tea?"));
    expect(made).toHaveLength(runs);
  });

  it.each([
    { name: "has its own time", policy: {}, ok: true },
    { name: "has the time of its policy", policy: { timeoutMs: 20_000 }, ok: false },
    { name: "has thirty seconds where no model writes it", policy: { isModel: false }, ok: false },
  ])("$name", async ({ policy, ok }) => {
    vi.useFakeTimers();
    const { asked } = expert(slow, { retry: { attempts: 1, baseMs: 1 }, ...policy });
    const models = scriptedModel([call("expert", { question: "Tea?" }, "1"), "Done."]);
    const running = createReactGraph({ models, tools: [asked] }).invoke(ask("Tea?"));
    await vi.advanceTimersByTimeAsync(110_000);
    expect((await running).observations).toMatchObject([{ ok }]);
  });

  const refunds: number[] = [];
  const refund = withPolicy(
    tool(
      ({ order }) => {
        refunds.push(order);
        return "Paid.";
      },
      { name: "refund", description: "Pays back.", schema: z.object({ order: z.number() }) },
    ),
    { effect: "write", grounded: ["order"] },
  );
  const asking = call("expert", { question: "Which order?" }, "1");
  const paying = call("refund", { order: 4711 }, "2");

  it.each([
    { name: "do not ground", policy: {}, paid: [] },
    { name: "ground where no model writes them", policy: { isModel: false }, paid: [4711] },
  ])("its words $name arguments", async ({ policy, paid }) => {
    refunds.length = 0;
    const { asked } = expert(() => "It was order 4711.", policy);
    const models = scriptedModel([asking, paying, "Done."]);
    await createReactGraph({ models, tools: [asked, refund] }).invoke(ask("Pay it back."));
    expect(refunds).toEqual(paid);
  });

  it("its words do not ground arguments of the next question", async () => {
    refunds.length = 0;
    const { asked } = expert(() => "It was order 4711.");
    const models = scriptedModel([asking, "It was order 4711.", paying, "Done."]);
    const checkpointer = new MemorySaver();
    const graph = createReactGraph({ models, tools: [asked, refund], checkpointer });
    const thread = { configurable: { thread_id: "1" } };
    await graph.invoke(ask("Which order was it?"), thread);
    const { observations } = await graph.invoke(ask("Pay it back."), thread);
    expect({ refunds, observations }).toMatchObject({ refunds: [], observations: [{ ok: false }] });
  });
});
