import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import { expect, it } from "vitest";

import { toolForm } from "../../src/models/model-request.js";
import { plannerPrompt } from "../../src/roles/planner.js";
import { compare } from "../../src/tools/builtin/compare.js";

const form = (name: string, properties: Record<string, object>) => ({
  name,
  description: `Does ${name}.`,
  parameters: { type: "object", properties, required: Object.keys(properties) },
});
const search = form("look_up", { topic: { type: "string" } });
const count = form("sum", { expression: { type: "string", description: "such as 2 + 2, or 3" } });
const book = form("book", { room: { type: "string" }, minutes: { type: "number" } });
const messages = [new SystemMessage("Be brief."), new HumanMessage("How high is it?")];

function systemFor(tools: Parameters<typeof plannerPrompt>[3]): string {
  return plannerPrompt(messages, "Plan.", "Today is Saturday.", tools)[0]?.text ?? "";
}

it("has one system message with the tools, their arguments and the date", () => {
  const [system, ...rest] = plannerPrompt(messages, "Plan.", "Today is Saturday.", [book]);
  expect(rest).toEqual([messages[1]]);
  expect(system?.text).toContain("Be brief.");
  expect(system?.text).toContain('- book {"room": string, "minutes": number}: Does book.');
  expect(system?.text.endsWith("Today is Saturday.")).toBe(true);
});

it("shows a worked example made of the tools at hand", () => {
  const text = systemFor([book, search, count]);
  expect(text).toContain('"tool":"look_up","args":{"topic":"weight of a Falbo bell"}');
  expect(text).toContain('"tool":"sum","args":{"expression":"{{E2}} / {{E3}}"}');
  const byName = {
    ...search,
    parameters: { type: "object", properties: { name: { type: "string" } } },
  };
  expect(systemFor([book, byName, count])).toContain('"args":{"name":"Falbo bell"}');
});

it("shows how figures are compared, where there is the tool for it", () => {
  const all = systemFor([book, search, count, toolForm(compare)]);
  expect(all).toContain(
    '"tool":"compare","args":{"figures":[{"name":"Falbo bell","figure":"{{E1}}"},{"name":"Renn bell","figure":"{{E2}}"}],"find":"smallest"}',
  );
  const other = { ...book, name: "compare" };
  expect(systemFor([other, search, count])).not.toContain('"tool":"compare"');
});

it.each([
  { name: "nothing looks up", tools: [book, count] },
  { name: "nothing calculates", tools: [book, search] },
])("shows none where $name: it would be copied", ({ tools }) => {
  expect(systemFor(tools)).not.toContain("An example");
});
