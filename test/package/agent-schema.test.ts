import { readFile } from "node:fs/promises";

import { describe, expect, it } from "vitest";

import { agentSchema, workflowSchema } from "../../scripts/agent-schema.js";

describe.each([
  { name: "agent.schema.json", schema: agentSchema() },
  { name: "workflow.schema.json", schema: workflowSchema() },
])("$name", ({ name, schema }) => {
  it("says what a file holds", async () => {
    const written: unknown = JSON.parse(await readFile(name, "utf8"));
    expect(written, `${name} is out of date: npm run schema`).toEqual(schema);
  });

  it("is in the package, under the name by which files call it", async () => {
    const { exports, files } = JSON.parse(await readFile("package.json", "utf8"));
    expect(files).toContain(name);
    expect(exports[`./${name}`]).toBe(`./${name}`);
    expect(schema).toMatchObject({ $id: `plangraph/${name}`, type: "object" });
  });
});
