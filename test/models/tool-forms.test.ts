import { StructuredTool, type StructuredToolInterface, tool } from "@langchain/core/tools";
import { expect, it } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod/v3";

import { toolForm } from "../../src/models/model-request.js";
import { zod3 } from "../support/zod-3.js";

const query = {
  type: "object" as const,
  properties: { query: { type: "string" as const } },
  required: ["query"],
};
const parts = { name: "search", description: "Searches." };

it.each([
  { name: "zod", schema: z.object({ query: z.string() }) },
  { name: "zod 3", schema: zod3(z3.object({ query: z3.string() })) },
])("gives a tool's arguments as JSON schema, from $name", ({ schema }) => {
  const search: unknown = tool(() => "found", { ...parts, schema });
  if (!isTool(search)) throw new TypeError("Expected a tool.");
  expect(toolForm(search)).toMatchObject({ ...parts, parameters: query });
});

it("gives a tool's JSON schema as it is", () => {
  const search = tool(() => "found", { ...parts, schema: query });
  expect(toolForm(search)).toEqual({ ...parts, parameters: query });
});

it("makes a tool's form once", () => {
  const search = tool(() => "found", { ...parts, schema: query });
  expect(toolForm(search)).toBe(toolForm(search));
});

function isTool(value: unknown): value is StructuredToolInterface {
  return value instanceof StructuredTool;
}
