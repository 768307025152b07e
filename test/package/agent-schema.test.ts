import { readFile } from "node:fs/promises";

import { expect, it } from "vitest";

import { agentSchema } from "../../scripts/agent-schema.js";

it("agent.schema.json says what an agent file holds", async () => {
  const written: unknown = JSON.parse(await readFile("agent.schema.json", "utf8"));
  expect(written, "agent.schema.json is out of date: npm run schema").toEqual(agentSchema());
});

it("the package has the schema, under the name by which agent files call it", async () => {
  const { exports, files } = JSON.parse(await readFile("package.json", "utf8"));
  expect(files).toContain("agent.schema.json");
  expect(exports["./agent.schema.json"]).toBe("./agent.schema.json");
  expect(agentSchema()).toMatchObject({ $id: "plangraph/agent.schema.json", type: "object" });
});
