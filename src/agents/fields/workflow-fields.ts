import { z } from "zod";

import { StepFields, workflowShape } from "../../graphs/workflow/form.js";
import { AgentFields } from "./agent-fields.js";

const { $schema, name, description, model, protocol, instructions } = AgentFields.shape;
const { tools, services, allowHosts, mcp, knowledge, policies } = AgentFields.shape;
const { limits, handOffOn, reviewAnswer, timeZone, locale, concurrency } = AgentFields.shape;

/** A workflow as a file says it. In a file, `agent` and `workflow` of a step are other files. */
export const WorkflowFields = z.strictObject({
  $schema,
  name,
  description,
  ...workflowShape,
  model: model.describe("The model of steps with a prompt; several: the next where one fails"),
  protocol,
  instructions,
  tools,
  services,
  allowHosts,
  mcp,
  knowledge,
  policies,
  limits,
  handOffOn,
  reviewAnswer,
  timeZone,
  locale,
  concurrency,
});

/** A workflow as it was read from a file. */
export type WorkflowFile = z.output<typeof WorkflowFields>;

/** The names of a step's fields. */
export const stepFieldNames: readonly string[] = StepFields.keyof().options;
