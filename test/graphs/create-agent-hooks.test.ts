import { AIMessage } from "@langchain/core/messages";
import { createMiddleware } from "langchain";
import { describe, expect, it } from "vitest";

import { asks, compare, type Scenario, withUnanswered } from "../support/create-agent.js";
import { call, priceTool } from "../support/middleware.js";

/** A middleware whose every hook records its name. */
function recording(name: string, seen: string[]) {
  return createMiddleware({
    name,
    beforeAgent: () => void seen.push(`${name}.beforeAgent`),
    beforeModel: () => void seen.push(`${name}.beforeModel`),
    wrapModelCall: async (request, handler) => {
      seen.push(`${name}.wrapModelCall(`);
      const reply = await handler(request);
      seen.push(`${name}.wrapModelCall)`);
      return reply;
    },
    wrapToolCall: async (request, handler) => {
      seen.push(`${name}.wrapToolCall(`);
      const result = await handler(request);
      seen.push(`${name}.wrapToolCall)`);
      return result;
    },
    afterModel: () => void seen.push(`${name}.afterModel`),
    afterAgent: () => void seen.push(`${name}.afterAgent`),
  });
}

type Point = "beforeAgent" | "beforeModel" | "afterModel";
type Target = "model" | "tools" | "end";

/** A hook that jumps on its first call, and records whether hooks and tools run. */
function jumping(point: Point, target: Target, messages: () => object[]): Scenario["make"] {
  return () => {
    const seen: string[] = [];
    const { price } = priceTool();
    let calls = 0;
    const hook = () => {
      calls += 1;
      return calls === 1 ? { jumpTo: target, messages: messages() } : undefined;
    };
    const middleware = [
      recording("outer", seen),
      { name: "jumping", [point]: { hook, canJumpTo: [target] } },
      recording("inner", seen),
    ];
    return { replies: [call("tea", "c1"), "3 euros.", "Still."], tools: [price], middleware, seen };
  };
}

const ownCall = () => [
  new AIMessage({ content: "", tool_calls: [{ name: "price", args: { item: "milk" }, id: "h1" }] }),
];
const none = () => [];

const endedEarly: Scenario["differs"] = {
  why: "afterAgent runs however a run ends, as LangChain's documentation says",
  here: ({ seen, ...rest }) => ({
    ...rest,
    seen: [...seen, "inner.afterAgent", "outer.afterAgent"],
  }),
};

const openCall: Scenario["differs"] = {
  why: "model servers refuse a call without a result, so the request has one",
  here: ({ requests, ...rest }) => ({
    ...rest,
    requests: requests.map(({ messages, ...asked }) => ({
      ...asked,
      messages: withUnanswered(messages, "c1"),
    })),
  }),
};

describe("hooks as createAgent runs them", () => {
  it.each<Scenario>([
    {
      name: "every hook of two middleware, the wrap hooks nested",
      make: () => {
        const seen: string[] = [];
        const middleware = [recording("one", seen), recording("two", seen)];
        return {
          replies: [call("tea", "c1"), "3 euros."],
          tools: [priceTool().price],
          middleware,
          seen,
        };
      },
      shows: { seen: expect.arrayContaining(["one.wrapToolCall(", "two.wrapToolCall("]) },
    },
    ...(["beforeAgent", "beforeModel", "afterModel"] as const).flatMap((point): Scenario[] => {
      // How often the model is asked before the hook runs.
      const first = point === "afterModel" ? 1 : 0;
      const ends = point === "beforeAgent" ? {} : { differs: endedEarly };
      const open = point === "afterModel" ? { differs: openCall } : {};
      return [
        {
          name: `${point} jumps to the end`,
          make: jumping(point, "end", none),
          shows: asks(first),
          ...ends,
        },
        {
          name: `${point} jumps to the end with an answer`,
          make: jumping(point, "end", () => [new AIMessage("We are closed.")]),
          shows: asks(first),
          ...ends,
        },
        {
          name: `${point} jumps to the model`,
          make: jumping(point, "model", none),
          shows: asks(2),
          ...open,
        },
        {
          name: `${point} jumps to the tools with a call`,
          make: jumping(point, "tools", ownCall),
          shows: asks(2),
          ...open,
        },
      ];
    }),
  ])("$name", async (scenario) => {
    const { here, expected } = await compare(scenario);
    expect(here).toEqual(expected);
  });
});
