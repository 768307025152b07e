import { writeFile } from "node:fs/promises";

import { format, resolveConfig } from "prettier";

import { agentSchema, workflowSchema } from "./agent-schema.js";
import { serviceSchema } from "./service-schema.js";

const schemas = {
  "agent.schema.json": agentSchema(),
  "service.schema.json": serviceSchema(),
  "workflow.schema.json": workflowSchema(),
};
for (const [file, schema] of Object.entries(schemas)) {
  const options = { ...(await resolveConfig(file)), filepath: file };
  await writeFile(file, await format(JSON.stringify(schema), options));
  process.stdout.write(`${file} is written.\n`);
}
