import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";

import { startShop } from "../../examples/shop/server.js";
import { loadAgent } from "../../src/agents/index.js";
import type { AgentOptions } from "../../src/agents/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { createDirectory } from "../cli/console.js";

const shop = await startShop();
afterAll(() => shop.close());

let directory: Awaited<ReturnType<typeof createDirectory>>;
beforeEach(async () => {
  shop.reset();
  directory = await createDirectory();
  const parameters = {
    type: "object",
    properties: { customer: { type: "string" } },
    required: ["customer"],
  };
  const header = { in: { customer: { in: "header", name: "x-customer" } } };
  const service = (name: string, path: string) => ({
    name,
    description: "A service.",
    parameters,
    request: { url: `\${SHOP_URL}${path}`, ...header },
  });
  await directory.write(
    "shop.json",
    JSON.stringify([service("customer", "/customer"), service("orders", "/orders")]),
  );
});
afterEach(() => directory.remove());

const environment = { SHOP_URL: shop.url, PLANGRAPH_ALLOW_HOSTS: shop.host };

type Given = {
  readonly memory: object;
  readonly context?: object;
  readonly more?: object;
  readonly options?: AgentOptions;
};

/** What the model is told of the memory of a file, and what the shop was asked. */
async function told({ memory, context = { customer: "lin" }, more = {}, options = {} }: Given) {
  const file = await directory.write(
    "a.agent.json",
    JSON.stringify({ graph: "react", tools: ["calculator"], memory, ...more }),
  );
  const models = scriptedModel([
    { toolCalls: [{ name: "calculator", args: { expression: "1 + 1" } }] },
    "Done.",
  ]);
  const graph = await loadAgent(file, { models, environment, ...options });
  const before = shop.asked().length;
  await graph.invoke({ messages: [{ role: "user", content: "And the 苹果?" }] }, { context });
  const [first] = models.calls;
  const system = first?.messages[0]?.text ?? "";
  const lines = /right now[^\n]*\n([\s\S]*)$/.exec(system)?.[1] ?? "";
  return { lines: lines.split("\n"), requests: shop.asked().slice(before) };
}

const customer = { service: "shop.json:customer", args: { customer: "{{context.customer}}" } };
const orders = { service: "shop.json:orders", args: { customer: "{{context.customer}}" } };
const unknown = "unknown (the application could not look it up)";

describe("memory of a file tells", () => {
  it.each([
    { name: "a text", memory: { a: "We sell food." }, lines: ["- a: We sell food."] },
    {
      name: "what the run's context has",
      memory: { a: "{{context.customer}} asks." },
      lines: ["- a: lin asks."],
    },
    {
      name: "what is asked",
      memory: { a: "About: {{question}}" },
      lines: ["- a: About: And the 苹果?"],
    },
    {
      name: "what a service says",
      memory: { a: { ...customer, text: "{{result.customer.level}}." } },
      lines: ["- a: 黑金会员."],
    },
    {
      name: "what a tool says",
      memory: { a: { tool: "calculator", args: { expression: "6 * 7" }, text: "{{result}}" } },
      lines: ["- a: 42"],
    },
    {
      name: "no part without a value",
      memory: { a: { ...customer, text: "{{result.customer.name}}, {{result.customer.age}}." } },
      lines: ["- a: 林悦."],
    },
    {
      name: "no ids",
      memory: { a: { ...orders, text: "An order.", ids: { id: "{{result.orders[0].orderId}}" } } },
      lines: ["- a: An order."],
    },
    {
      name: "nothing where there is nothing",
      memory: { a: { ...orders, text: "{{result.orders[9].orderId}}" }, b: "Here." },
      lines: ["- b: Here."],
    },
    {
      name: "that a field of the context is not there",
      memory: { a: "{{context.customr}} asks." },
      lines: [`- a: ${unknown}`],
    },
    {
      name: "that a field of the result is not there",
      memory: { a: { ...customer, text: "{{result.customer.lvl}}" } },
      lines: [`- a: ${unknown}`],
    },
    {
      name: "that a service refuses",
      memory: { a: { ...customer, text: "{{result.customer.name}}" } },
      context: { customer: "nobody" },
      lines: [`- a: ${unknown}`],
    },
    {
      name: "what the program says, where it has the same name",
      memory: { a: { ...customer, text: "{{result.customer.name}}" }, b: "Here." },
      options: { memory: { a: () => "Of the program." } },
      lines: ["- a: Of the program.", "- b: Here."],
    },
  ])("$name", async ({ lines, ...given }) => {
    expect((await told(given)).lines).toEqual(lines);
  });
});

describe("memory of a file asks a service", () => {
  it.each([
    { name: "before every model call", keep: false, count: 2 },
    { name: "once, if it is kept", keep: true, count: 1 },
  ])("$name", async ({ keep, count }) => {
    const { requests } = await told({
      memory: { a: { ...customer, text: "{{result.customer.name}}", keep } },
    });
    expect(requests).toEqual(Array.from({ length: count }, () => "GET /customer for lin"));
  });

  it("not at all without its arguments", async () => {
    const memory = { a: { ...customer, text: "{{result.customer.name}}" } };
    const { lines, requests } = await told({ memory, context: {} });
    expect({ lines, requests }).toEqual({ lines: [`- a: ${unknown}`], requests: [] });
  });
});

describe("an id of a file's memory", () => {
  it.each([
    { name: "goes to the tool", id: "{{result.orders[1].orderId}}", told: "L-69840" },
    {
      name: "that is not there calls nothing",
      id: "{{result.orders[9].orderId}}",
      told: undefined,
    },
    { name: "that is no text calls nothing", id: "{{result.orders[0]}}", told: undefined },
  ])("$name", async ({ id, told: expected }) => {
    const file = await directory.write(
      "a.agent.json",
      JSON.stringify({
        graph: "react",
        tools: ["calculator"],
        memory: { order: { ...orders, ids: { id } } },
        policies: { calculator: { fromMemory: { expression: "order.id" } } },
      }),
    );
    const call = { toolCalls: [{ name: "calculator", args: { expression: "1" } }] };
    const models = scriptedModel([call, "Done."]);
    const graph = await loadAgent(file, { models, environment });
    const asked = { messages: [{ role: "user", content: "Which?" }] };
    const { observations } = await graph.invoke(asked, { context: { customer: "lin" } });
    expect(observations?.[0]?.fromMemory?.["expression"]).toBe(expected);
    // No sum is an order's number: the tool has got it, and refuses it.
    const kind = expected === undefined ? "unavailable" : "rejected";
    expect(observations?.[0]?.error?.kind).toBe(kind);
    expect(JSON.stringify(models.calls[0]?.messages)).not.toMatch(/L-\d{5}/);
  });
});

it("that could not be looked up is told to people with the service's own words, not those for models", async () => {
  const errors: unknown[] = [];
  await told({
    memory: { a: { ...customer, text: "{{result.name}}" } },
    context: { customer: "nobody" },
    options: {
      observers: [
        {
          onEvent: (event) => {
            if (event.type === "memory_read") errors.push(event.content?.errors);
          },
        },
      ],
    },
  });
  expect(errors[0]).toEqual({ a: expect.stringMatching(/^(?!.*<untrusted)/s) });
  expect(JSON.stringify(errors[0])).toContain("There is no such customer");
});
