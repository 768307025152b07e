import { z } from "zod";

import { AgentFields } from "../src/agents/agent-fields.js";

/** The JSON Schema of agent files, with which editors complete and check them. */
export function agentSchema(): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(AgentFields, { io: "input" });
  return { $schema, $id: "plangraph/agent.schema.json", title: "plangraph agent", ...schema };
}
