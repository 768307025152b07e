import { tool } from "@langchain/core/tools";
import { toolRetryMiddleware } from "langchain";
import { expect, it } from "vitest";
import { z } from "zod";

import { createReactGraph } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";

const twin = tool(() => "", { name: "price", description: "", schema: z.object({}) });
// Typed as objects: some are what only a JavaScript user can write.
const cases: { name: string; options: object; error: RegExp }[] = [
  {
    name: "a bad spec",
    options: { models: "gpt" },
    error: /"gpt" is no model spec. Expected "openai:NAME"/,
  },
  { name: "an empty list of models", options: { models: [] }, error: /at least one model/ },
  {
    name: "an unknown role",
    options: { models: { boss: "offline" } },
    error: /models\.boss is no role/,
  },
  {
    name: "a model with tools bound",
    options: { models: scriptedModel([]).bindTools([]) },
    error: /tools bound/,
  },
  { name: "an unknown limit", options: { limits: { calls: 3 } }, error: /Unknown limit "calls"/ },
  {
    name: "a negative limit",
    options: { limits: { modelCalls: -1 } },
    error: /limits\.modelCalls must be/,
  },
  { name: "an unknown zone", options: { timeZone: "Mars" }, error: /IANA zone/ },
  { name: "an unknown locale", options: { locale: "en_US" }, error: /BCP 47 tag/ },
  {
    name: "no concurrency",
    options: { concurrency: 0 },
    error: /concurrency: expected 1 or more, got 0/,
  },
  {
    name: "two tools of one name",
    options: { tools: [...countingTools("price").tools, twin] },
    error: /Two tools/,
  },
  { name: "a policy for no tool", options: { toolPolicies: { pay: {} } }, error: /names "pay"/ },
  {
    name: "a misspelt effect",
    options: { tools: countingTools("price").tools, toolPolicies: { price: { effect: "reed" } } },
    error: /policy of "price" does not fit: effect/,
  },
  {
    name: "a policy field that does not exist",
    options: { tools: countingTools("price").tools, toolPolicies: { price: { timeout: 3 } } },
    error: /timeout: there is no such field/,
  },
  {
    name: "a grounded parameter that does not exist",
    options: { tools: countingTools("price").tools, toolPolicies: { price: { grounded: ["id"] } } },
    error: /grounds "id", which is no parameter. The parameters are: item/,
  },
  {
    name: "a middleware in place of its hook",
    options: { wrapToolCall: [toolRetryMiddleware()] },
    error: /wrapToolCall: expected a function .* got an object with the keys/,
  },
  {
    name: "a middleware in place of its model hook",
    options: { wrapModelCall: toolRetryMiddleware() },
    error: /wrapModelCall: expected a function .* got an object with the keys/,
  },
  {
    name: "an unknown way of stopping",
    options: { earlyStopping: "never" },
    error: /earlyStopping: expected "generate", "force", got "never"/,
  },
  {
    name: "an unknown level of events",
    options: { events: "none" },
    error: /events: expected "full", "metadata", got "none"/,
  },
  {
    name: "a form that is no schema",
    options: { responseFormat: { price: "number" } },
    error: /responseFormat cannot be told to a model: it is neither a zod schema nor a JSON schema/,
  },
  {
    name: "an unknown protocol",
    options: { protocol: "xml" },
    error: /protocol: expected "auto", "native", "json", got "xml"/,
  },
  {
    name: "a form with dates",
    options: { responseFormat: z.object({ at: z.date() }) },
    error: /responseFormat/,
  },
];

it.each(cases)("$name is refused when the graph is built", ({ options, error }) => {
  expect(() => createReactGraph(options)).toThrow(error);
});

it("a missing key is told before the first model call, not when the graph is built", async () => {
  const graph = createReactGraph({ models: "openai:gpt", environment: {} });
  const input = { messages: [{ role: "user" as const, content: "hi" }] };
  await expect(graph.invoke(input)).rejects.toThrow(/"openai:gpt" needs a key: set OPENAI_API_KEY/);
});
