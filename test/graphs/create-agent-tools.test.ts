import { ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { createMiddleware, toolErrorMiddleware, toolRetryMiddleware } from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { asks, compare, type Scenario } from "../support/create-agent.js";
import { call, made, priceTool } from "../support/middleware.js";

/** A tool that fails so often, and what it was called with. */
function failingTool(times: number, error: () => Error) {
  const seen: string[] = [];
  const price = tool(
    ({ item }) => {
      seen.push(item);
      if (seen.length <= times) throw error();
      return `${item}: 3 euros`;
    },
    { name: "price", description: "Gives a price.", schema: z.object({ item: z.string() }) },
  );
  return { price, seen };
}

const closed = () => new Error("The shop is closed.");
const quick = { initialDelayMs: 1, jitter: false };
const replies = [call("tea", "c1"), "Done."];

const retrying =
  (times: number, options: object, error = closed) =>
  () => {
    const { price, seen } = failingTool(times, error);
    const middleware = [made(toolRetryMiddleware, { ...quick, ...options })];
    return { replies, tools: [price], middleware, seen };
  };

const handling =
  (onError: (error: unknown) => string | undefined, times = 1) =>
  () => {
    const { price, seen } = failingTool(times, closed);
    const middleware = [made(toolErrorMiddleware, { onError })];
    return { replies, tools: [price], middleware, seen };
  };

const wrapping =
  (wrapToolCall: NonNullable<Parameters<typeof createMiddleware>[0]["wrapToolCall"]>) => () => {
    const { price, runs: seen } = priceTool();
    return {
      replies,
      tools: [price],
      middleware: [createMiddleware({ name: "wrapping", wrapToolCall })],
      seen,
    };
  };

const scenarios: readonly Scenario[] = [
  {
    name: "a tool that works the third time",
    make: retrying(2, { maxRetries: 2 }),
    shows: { ...asks(2), seen: ["tea", "tea", "tea"] },
  },
  {
    name: "a tool that never works, told to the model",
    make: retrying(9, { maxRetries: 1, onFailure: "continue" }),
    shows: { ...asks(2), seen: ["tea", "tea"] },
  },
  {
    name: "a tool that never works, in words of one's own",
    make: retrying(9, { maxRetries: 1, onFailure: () => "Come back later." }),
    shows: { ...asks(2), seen: ["tea", "tea"] },
  },
  {
    name: "an error that is not to be retried",
    make: retrying(1, { maxRetries: 3, retryOn: () => false, onFailure: "continue" }),
    shows: { ...asks(2), seen: ["tea"] },
  },
  {
    name: "a tool that retries are not for",
    make: retrying(0, { maxRetries: 3, tools: ["other"] }),
    shows: { ...asks(2), seen: ["tea"] },
  },
  {
    name: "an error that becomes a result",
    make: handling(() => "The shop cannot be reached."),
    shows: { ...asks(2), seen: ["tea"] },
  },
  {
    name: "an error that is passed on",
    make: handling(() => undefined),
    shows: { runs: [{ error: /closed/ }] },
    outcome: { status: "answered" },
    differs: {
      why: "a tool's error is a result for the model, whatever throws it",
      here: () => ({
        ...asks(2),
        seen: ["tea"],
        runs: [expect.objectContaining({ interrupts: [] })],
      }),
    },
  },
  {
    name: "an answer in place of the tool",
    make: wrapping(
      ({ toolCall }) =>
        new ToolMessage({
          content: "4 euros",
          tool_call_id: toolCall.id ?? "",
          name: toolCall.name,
        }),
    ),
    shows: { ...asks(2), seen: [] },
  },
  {
    name: "other arguments",
    make: wrapping((request, handler) =>
      handler({ ...request, toolCall: { ...request.toolCall, args: { item: "milk" } } }),
    ),
    shows: { ...asks(2), seen: ["milk"] },
  },
  {
    name: "a result that is changed",
    make: wrapping(async (request, handler) => {
      const result = await handler(request);
      return ToolMessage.isInstance(result)
        ? new ToolMessage({
            content: result.text.toUpperCase(),
            tool_call_id: result.tool_call_id,
            name: "price",
          })
        : result;
    }),
    shows: { ...asks(2), seen: ["tea"] },
  },
  {
    name: "a tool that runs twice",
    make: wrapping(async (request, handler) => {
      await handler(request);
      return handler(request);
    }),
    shows: { ...asks(2), seen: ["tea", "tea"] },
  },
];

describe("tools in createAgent's middleware", () => {
  it.each(scenarios)("$name", async (scenario) => {
    const { here, expected } = await compare(scenario);
    expect(here).toEqual(expected);
  });
});
