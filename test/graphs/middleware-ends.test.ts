import { AIMessage, RemoveMessage } from "@langchain/core/messages";
import { REMOVE_ALL_MESSAGES } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";

import { createReactGraph, type Limits, type Middleware } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { call, priceTool, question } from "../support/middleware.js";

const failure = (hook: string, why: string) =>
  `The ${hook} hook of the middleware "own" failed: ${why}`;

function run(hooks: Omit<Middleware, "name">, limits: Partial<Limits> = {}) {
  const { price, runs } = priceTool();
  const models = scriptedModel([call("tea", "c1"), "3 euros."]);
  const middleware = [{ name: "own", ...hooks }];
  const graph = createReactGraph({ models, tools: [price], middleware, limits });
  return { graph, runs, models };
}

describe("a hook", () => {
  it.each<{ name: string; hooks: Omit<Middleware, "name">; reason: string }>([
    {
      name: "that jumps to the tools without an open call",
      hooks: { beforeModel: { hook: () => ({ jumpTo: "tools" }), canJumpTo: ["tools"] } },
      reason: failure("beforeModel", 'it jumps to "tools", and no call is open'),
    },
    {
      name: "that removes a message that is not there",
      hooks: { afterModel: () => ({ messages: [new RemoveMessage({ id: "none" })] }) },
      reason: failure("afterModel", "Attempting to delete a message with an ID that doesn't exist"),
    },
    {
      name: "that adds something else than messages",
      hooks: { afterModel: () => ({ messages: [{ no: "message" }] }) },
      reason: failure("afterModel", "Unable to coerce message from array"),
    },
    {
      name: "that removes the model's reply",
      hooks: { afterModel: () => ({ messages: [new RemoveMessage({ id: REMOVE_ALL_MESSAGES })] }) },
      reason: "A hook left no reply of the model: the messages end without one.",
    },
  ])("$name ends the run as failed, and calls no tool", async ({ hooks, reason }) => {
    const { graph, runs } = run(hooks);
    const { outcome, answer } = await graph.invoke(question);
    expect(outcome?.status).toBe("failed");
    expect(outcome?.reason).toContain(reason);
    expect(answer).toContain("I could not finish: ");
    expect(runs).toEqual([]);
  });

  it("may write calls of its own and jump to the tools", async () => {
    const asked = { name: "price", args: { item: "milk" }, id: "h1" };
    const hook = () => ({ messages: [new AIMessage({ tool_calls: [asked] })], jumpTo: "tools" });
    const { graph, runs } = run({ beforeAgent: { hook, canJumpTo: ["tools"] } });
    expect(await graph.invoke(question)).toMatchObject({ answer: "3 euros." });
    expect(runs).toEqual(["milk", "tea"]);
  });

  it.each(["beforeAgent", "beforeModel", "afterModel"] as const)(
    "that never returns (%s) ends the run at its time limit, and its signal aborts",
    async (point) => {
      const signals: unknown[] = [];
      const hook = (_: unknown, { signal }: { readonly signal?: AbortSignal }) => {
        signals.push(signal);
        return new Promise<undefined>(() => undefined);
      };
      const { graph, runs } = run({ [point]: hook }, { seconds: 0.2 });
      const { outcome } = await graph.invoke(question);
      expect(outcome).toEqual({ status: "limit", limit: "seconds" });
      expect(signals).toMatchObject([{ aborted: true }]);
      expect(runs).toEqual([]);
    },
  );

  it.each([{ asks: false }, { asks: true }])(
    "around the model that never returns ends the run at its time limit (asks it: $asks)",
    async ({ asks }) => {
      const wrapModelCall = async (
        request: never,
        handler: (request: never) => Promise<unknown>,
      ) => {
        if (asks) await handler(request);
        return new Promise<never>(() => undefined);
      };
      const { graph, models } = run({ wrapModelCall }, { seconds: 0.2 });
      const { outcome } = await graph.invoke(question);
      expect(outcome).toEqual({ status: "limit", limit: "seconds" });
      expect(models.calls).toHaveLength(asks ? 2 : 0);
    },
  );

  it("that ends a run before the model with no message gives no answer", async () => {
    const hook = { hook: () => ({ jumpTo: "end" }), canJumpTo: ["end" as const] };
    const { graph } = run({ beforeAgent: hook });
    expect(await graph.invoke(question)).toMatchObject({
      answer: "",
      outcome: { status: "answered", endedBy: "own" },
    });
  });

  it("after the run cannot make a failed run an answered one", async () => {
    const { graph } = run({
      beforeModel: () => {
        throw new Error("no luck");
      },
      afterAgent: { hook: () => ({ jumpTo: "end" }), canJumpTo: ["end"] },
    });
    const { outcome } = await graph.invoke(question);
    expect(outcome).toEqual({ status: "failed", reason: failure("beforeModel", "no luck") });
  });
});
