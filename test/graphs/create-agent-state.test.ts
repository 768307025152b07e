import { ToolMessage } from "@langchain/core/messages";
import { tool, type ToolRuntime } from "@langchain/core/tools";
import { Command } from "@langchain/langgraph";
import { withLangGraph } from "@langchain/langgraph/zod";
import { createMiddleware } from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { asks, compare, question, type Scenario } from "../support/create-agent.js";
import { call, priceTool } from "../support/middleware.js";

/** A middleware that counts in the state how often the model is asked. */
const counting = () =>
  createMiddleware({
    name: "counting",
    stateSchema: z.object({ asked: z.number().default(0) }),
    beforeModel: ({ asked: before }) => ({ asked: before + 1 }),
  });

const summed = withLangGraph(z.number(), {
  reducer: { fn: (sum: number, next: number) => sum + next },
  default: () => 0,
});

/** A tool that changes the state with a `Command`. */
const noting = tool(
  ({ text }, { toolCallId }: ToolRuntime) => {
    const said = new ToolMessage({
      content: `Noted: ${text}`,
      tool_call_id: toolCallId,
      name: "note",
    });
    return new Command({ update: { notes: [text], messages: [said] } });
  },
  { name: "note", description: "Notes a text.", schema: z.object({ text: z.string() }) },
);
const note = (text: string, id: string) => ({ name: "note", args: { text }, id });
const notesSchema = z.object({
  notes: withLangGraph(z.array(z.string()), {
    reducer: { fn: (notes: string[], more: string[]) => [...notes, ...more] },
    default: () => [],
  }),
});

describe("state as createAgent keeps it", () => {
  it.each<Scenario>([
    {
      name: "a key with a default, over two runs of a thread",
      make: () => ({
        replies: [call("tea", "c1"), "3 euros.", "Still."],
        tools: [priceTool().price],
        middleware: [counting()],
      }),
      runs: [question, question],
      shows: { runs: [{ state: { asked: 2 } }, { state: { asked: 3 } }] },
    },
    {
      name: "a key that the input sets",
      make: () => ({ replies: ["3 euros."], middleware: [counting()] }),
      runs: [{ ...question, asked: 5 }],
      shows: { runs: [{ state: { asked: 6 } }] },
    },
    {
      name: "a key with a reducer",
      make: () => ({
        replies: ["3 euros."],
        middleware: [
          createMiddleware({
            name: "summing",
            stateSchema: z.object({ sum: summed }),
            beforeModel: () => ({ sum: 2 }),
            afterModel: () => ({ sum: 3 }),
          }),
        ],
      }),
      runs: [{ ...question, sum: 1 }],
      shows: { runs: [{ state: { sum: 6 } }] },
    },
    {
      name: "a private key, which hooks share and nobody else sees",
      make: () => {
        const seen: unknown[] = [];
        const middleware = [
          createMiddleware({
            name: "hiding",
            stateSchema: z.object({ _secret: z.number().default(1), open: z.number().default(1) }),
            beforeModel: ({ _secret }) => ({ _secret: _secret + 1 }),
            afterModel: ({ _secret }) => void seen.push(_secret),
          }),
        ];
        return { replies: ["3 euros.", "Still."], middleware, seen };
      },
      runs: [question, { ...question, _secret: 40 }],
      shows: { seen: [2, expect.any(Number)] },
    },
    {
      name: "keys of two middleware and of the agent, which every hook sees",
      make: () => {
        const seen: unknown[] = [];
        const middleware = ["a", "b"].map((key) =>
          createMiddleware({
            name: key,
            stateSchema: z.object({ [key]: z.string().default(key) }),
            beforeModel: ({ messages, ...state }) => {
              seen.push([messages.length, state["a"], state["b"], Reflect.get(state, "own")]);
              return { [key]: `${key} changed` };
            },
          }),
        );
        const stateSchema = z.object({ own: z.string().default("own") });
        return { replies: ["3 euros."], middleware, stateSchema, seen };
      },
      shows: {
        seen: [
          [1, "a", undefined, undefined],
          [1, undefined, "b", undefined],
        ],
      },
      differs: {
        why: "a hook sees the keys of every schema, as docs/middleware.md says",
        here: (there) => ({
          ...there,
          seen: [
            [1, "a", "b", "own"],
            [1, "a changed", "b", "own"],
          ],
        }),
      },
    },
    {
      name: "wrap hooks see the state",
      make: () => {
        const seen: unknown[] = [];
        const middleware = [
          counting(),
          createMiddleware({
            name: "reading",
            stateSchema: z.object({ asked: z.number().default(0) }),
            wrapModelCall: (request, handler) => {
              seen.push(["model", request.state.asked, request.state.messages.length]);
              return handler(request);
            },
            wrapToolCall: (request, handler) => {
              seen.push(["tool", request.state.asked, request.state.messages.length]);
              return handler(request);
            },
          }),
        ];
        const replies = [call("tea", "c1"), "3 euros."];
        return { replies, tools: [priceTool().price], middleware, seen };
      },
      shows: {
        seen: [
          ["model", 1, 1],
          ["tool", 1, 2],
          ["model", 2, 3],
        ],
      },
    },
    {
      name: "a Command of a tool",
      make: () => ({
        replies: [{ toolCalls: [note("tea", "c1")] }, "Done."],
        tools: [noting],
        stateSchema: notesSchema,
      }),
      shows: { runs: [{ state: { notes: ["tea"] } }] },
    },
    {
      name: "Commands of two calls of one reply, merged by a reducer",
      make: () => ({
        replies: [{ toolCalls: [note("tea", "c1"), note("milk", "c2")] }, "Done."],
        tools: [noting],
        stateSchema: notesSchema,
      }),
      shows: { runs: [{ state: { notes: ["tea", "milk"] } }] },
    },
    {
      name: "a state schema of the agent, with a key that is required and given",
      make: () => ({ replies: ["3 euros."], stateSchema: z.object({ user: z.string() }) }),
      runs: [{ ...question, user: "Ann" }, question],
      shows: { runs: [{ state: { user: "Ann" } }, {}] },
    },
  ])("$name", async (scenario) => {
    const { here, expected } = await compare(scenario);
    expect(here).toEqual(expected);
  });
});

/** A middleware that records the context that its hooks see. */
function contextual(seen: unknown[], contextSchema: z.ZodObject) {
  return createMiddleware({
    name: "contextual",
    contextSchema,
    beforeAgent: (_, { context }) => void seen.push(["beforeAgent", context]),
    beforeModel: (_, { context }) => void seen.push(["beforeModel", context]),
    wrapModelCall: (request, handler) => {
      seen.push(["wrapModelCall", request.runtime.context]);
      return handler(request);
    },
    wrapToolCall: (request, handler) => {
      seen.push(["wrapToolCall", request.runtime.context]);
      return handler(request);
    },
    afterModel: (_, { context }) => void seen.push(["afterModel", context]),
    afterAgent: (_, { context }) => void seen.push(["afterAgent", context]),
  });
}

const oneContext: Scenario["differs"] = {
  why: "wrapToolCall gets the fields of the schema as every other hook",
  here: (there) => ({
    ...there,
    seen: there.seen.map((one) =>
      Array.isArray(one) && one[0] === "wrapToolCall" ? [one[0], { tenant: "t1", level: 42 }] : one,
    ),
  }),
};

const tenantSchema = z.object({ tenant: z.string(), level: z.number().default(42) });

describe("context as createAgent gives it", () => {
  const make = (contextSchema: z.ZodObject, agentSchema?: z.ZodObject) => () => {
    const seen: unknown[] = [];
    return {
      replies: [call("tea", "c1"), "3 euros."],
      tools: [priceTool().price],
      middleware: [contextual(seen, contextSchema)],
      seen,
      ...(agentSchema === undefined ? {} : { contextSchema: agentSchema }),
    };
  };
  it.each<Scenario>([
    {
      name: "every hook gets the fields of its schema, with defaults",
      make: make(tenantSchema),
      context: { tenant: "t1" },
      shows: {
        ...asks(2),
        seen: expect.arrayContaining([["beforeModel", { tenant: "t1", level: 42 }]]),
      },
      differs: oneContext,
    },
    {
      name: "a field that the schema does not have",
      make: make(tenantSchema),
      context: { tenant: "t1", other: "x" },
      shows: asks(2),
      differs: oneContext,
    },
    {
      name: "a schema of the agent beside that of the middleware",
      make: make(tenantSchema, z.object({ user: z.string() })),
      context: { tenant: "t1", user: "Ann" },
      shows: asks(2),
      differs: oneContext,
    },
    {
      name: "wrap hooks without a schema, which get the whole context",
      make: () => {
        const seen: unknown[] = [];
        const open = createMiddleware({
          name: "open",
          beforeModel: (_, { context }) => void seen.push(["beforeModel", context]),
          wrapModelCall: (request, handler) => {
            seen.push(["wrapModelCall", request.runtime.context]);
            return handler(request);
          },
          wrapToolCall: (request, handler) => {
            seen.push(["wrapToolCall", request.runtime.context]);
            return handler(request);
          },
        });
        const replies = [call("tea", "c1"), "3 euros."];
        return { replies, tools: [priceTool().price], middleware: [open], seen };
      },
      context: { tenant: "t1" },
      shows: {
        seen: expect.arrayContaining([
          ["beforeModel", {}],
          ["wrapModelCall", { tenant: "t1" }],
          ["wrapToolCall", { tenant: "t1" }],
        ]),
      },
    },
    { name: "a missing field", make: make(tenantSchema), shows: { runs: [{ error: /./ }] } },
  ])("$name", async (scenario) => {
    const { here, expected } = await compare(scenario);
    expect(here).toEqual(expected);
  });
});
