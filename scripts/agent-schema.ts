import { z } from "zod";

import { AgentFields } from "../src/agents/fields/agent-fields.js";
import { WorkflowFields } from "../src/agents/fields/workflow-fields.js";

/** The JSON Schema of agent files, with which editors complete and check them. */
export function agentSchema(): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(AgentFields, { io: "input" });
  return { $schema, $id: "plangraph/agent.schema.json", title: "plangraph agent", ...schema };
}

/** The JSON Schema of workflow files. */
export function workflowSchema(): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(WorkflowFields, { io: "input" });
  return { $schema, $id: "plangraph/workflow.schema.json", title: "plangraph workflow", ...schema };
}
