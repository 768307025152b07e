import { Command } from "@langchain/langgraph";
import { humanInTheLoopMiddleware } from "langchain";
import { tool } from "@langchain/core/tools";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import type { ScriptedToolCall } from "../../src/testing/index.js";
import { asks, compare, question, type Scenario, withUnanswered } from "../support/create-agent.js";
import { made } from "../support/middleware.js";

const price = { name: "price", args: { item: "tea" }, id: "c1" };
const stock = { name: "stock", args: { item: "tea" }, id: "c2" };
const order = { name: "order", args: { item: "tea", count: 2 }, id: "c3" };

/** An agent with three tools, which record their calls, and a person who is asked about some of them. */
function asking(
  calls: readonly ScriptedToolCall[],
  options: object,
  replies = ["Done.", "Done again."],
) {
  return () => {
    const seen: unknown[] = [];
    const schema = z.object({ item: z.string(), count: z.number().optional() });
    const tools = ["price", "stock", "order"].map((name) =>
      tool(
        (args) => {
          seen.push([name, args]);
          return `${name} of ${args.item}`;
        },
        { name, description: `The ${name}.`, schema },
      ),
    );
    const middleware = [made(humanInTheLoopMiddleware, options)];
    const first = { text: "Let me see.", toolCalls: calls };
    return { replies: [first, ...replies], tools, middleware, seen };
  };
}

const resume = (...decisions: readonly object[]) => new Command({ resume: { decisions } });
const approve = { type: "approve" };
const edit = (name: string, args: object) => ({ type: "edit", editedAction: { name, args } });
const reject = (message?: string) => ({ type: "reject", ...(message && { message }) });
const onOrder = { interruptOn: { order: true } };
const onBoth = { interruptOn: { order: true, stock: true } };

const why = "model servers refuse a call without a result";
const answeredInRequest = (id: string): Scenario["differs"] => ({
  why,
  here: ({ requests, ...rest }) => ({
    ...rest,
    requests: requests.map(({ messages, ...asked }) => ({
      ...asked,
      messages: messages.flatMap((message) =>
        "calls" in message ? withUnanswered([message], id) : [message],
      ),
    })),
  }),
});
const answeredEverywhere: Scenario["differs"] = {
  why,
  here: ({ runs: [paused, ...runs], requests, ...rest }) => ({
    ...rest,
    runs: [
      paused,
      ...runs.map((run) =>
        "error" in run ? run : { ...run, messages: withUnanswered(run.messages, "c3") },
      ),
    ],
    requests: requests.map(({ messages, ...asked }) => ({
      ...asked,
      messages: withUnanswered(messages, "c3"),
    })),
  }),
};

const scenarios: readonly Scenario[] = [
  {
    name: "a pause before the call",
    make: asking([order], onOrder),
    shows: { seen: [], runs: [{ interrupts: [{ actionRequests: [{ name: "order" }] }] }] },
  },
  {
    name: "approve",
    make: asking([order], onOrder),
    runs: [question, resume(approve)],
    shows: { ...asks(2), seen: [["order", { item: "tea", count: 2 }]] },
  },
  {
    name: "edit",
    make: asking([order], onOrder),
    runs: [question, resume(edit("order", { item: "milk", count: 1 }))],
    shows: { ...asks(2), seen: [["order", { item: "milk", count: 1 }]] },
  },
  {
    name: "edit into another tool",
    make: asking([order], onOrder),
    runs: [question, resume(edit("price", { item: "milk" }))],
    shows: { ...asks(2), seen: [["price", { item: "milk" }]] },
  },
  {
    name: "reject with a message",
    make: asking([order], onOrder),
    runs: [question, resume(reject("Too dear."))],
    shows: { ...asks(2), seen: [] },
  },
  {
    name: "reject without a message",
    make: asking([order], onOrder),
    runs: [question, resume(reject())],
    shows: { ...asks(2), seen: [] },
  },
  {
    name: "a call that needs nobody beside one that does",
    make: asking([price, order], onOrder),
    runs: [question, resume(approve)],
    shows: { ...asks(2), seen: expect.arrayContaining([["price", { item: "tea" }]]) },
  },
  {
    name: "a call that needs nobody beside one that is rejected",
    make: asking([price, order], onOrder),
    runs: [question, resume(reject("No."))],
    shows: { ...asks(2), seen: [] },
    differs: answeredInRequest("c1"),
  },
  {
    name: "only calls that need nobody",
    make: asking([price], onOrder),
    shows: { ...asks(2), runs: [{ interrupts: [] }] },
  },
  {
    name: "two calls, both approved",
    make: asking([stock, order], onBoth),
    runs: [question, resume(approve, approve)],
    shows: asks(2),
  },
  {
    name: "two calls, one approved and one edited",
    make: asking([stock, order], onBoth),
    runs: [question, resume(approve, edit("order", { item: "milk" }))],
    shows: {
      ...asks(2),
      seen: [
        ["stock", { item: "tea" }],
        ["order", { item: "milk" }],
      ],
    },
  },
  {
    name: "two calls, one approved and one rejected",
    make: asking([stock, order], onBoth),
    runs: [question, resume(approve, reject("No."))],
    shows: asks(2),
  },
  {
    name: "two calls, both rejected",
    make: asking([stock, order], onBoth),
    runs: [question, resume(reject("No."), reject("No, too."))],
    shows: { ...asks(2), seen: [] },
  },
  {
    name: "fewer decisions than calls",
    make: asking([stock, order], onBoth),
    runs: [question, resume(approve)],
    shows: { seen: [], runs: [{}, { error: /does not match/ }] },
  },
  {
    name: "a decision that is not allowed",
    make: asking([order], { interruptOn: { order: { allowedDecisions: ["approve"] } } }),
    runs: [question, resume(reject("No."))],
    shows: { seen: [], runs: [{}, { error: /./ }] },
  },
  {
    name: "a decision of an unknown kind",
    make: asking([order], onOrder),
    runs: [question, resume({ type: "shrug" })],
    shows: { seen: [], runs: [{}, { error: /./ }] },
  },
  {
    name: "descriptions: a prefix, a text and a function",
    make: asking([price, stock, order], {
      descriptionPrefix: "Please check",
      interruptOn: {
        price: true,
        stock: { allowedDecisions: ["approve"], description: "The stock is asked." },
        order: {
          allowedDecisions: ["approve", "edit"],
          description: ({ args }: { args: { item: string } }) => `An order of ${args.item}.`,
        },
      },
    }),
    shows: {
      runs: [
        {
          interrupts: [
            {
              actionRequests: [
                { description: expect.stringContaining("Please check") },
                { description: "The stock is asked." },
                { description: "An order of tea." },
              ],
            },
          ],
        },
      ],
    },
  },
  {
    name: "a rule by the arguments, which does not hold",
    make: asking([order], {
      interruptOn: {
        order: {
          allowedDecisions: ["approve"],
          when: ({ toolCall }: { toolCall: { args: { count: number } } }) =>
            toolCall.args.count > 5,
        },
      },
    }),
    shows: { ...asks(2), seen: [["order", { item: "tea", count: 2 }]] },
  },
  {
    name: "a rule by the arguments, which holds",
    make: asking([order], {
      interruptOn: {
        order: {
          allowedDecisions: ["approve"],
          when: ({ toolCall }: { toolCall: { args: { count: number } } }) =>
            toolCall.args.count > 1,
        },
      },
    }),
    runs: [question, resume(approve)],
    shows: { ...asks(2), runs: [{ interrupts: [{}] }, {}] },
  },
  {
    name: "a new question instead of a decision",
    make: asking([order], onOrder),
    runs: [question, { messages: [{ role: "user", content: "Never mind." }] }],
    shows: { ...asks(2), seen: [] },
    differs: answeredEverywhere,
  },
];

describe("people as createAgent asks them", () => {
  it.each(scenarios)("$name", async (scenario) => {
    const { here, expected } = await compare(scenario);
    expect(here).toEqual(expected);
  });
});
