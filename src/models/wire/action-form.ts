import { isRecord } from "../../json/json.js";
import { finalActionFor, type ToolForm } from "../../prompts/tool-protocol.js";
import type { Form } from "./form-ladder.js";
import { withFreeDates } from "./free-dates.js";

/** The form of a turn of the JSON protocol: a branch for each tool, with the tool's own arguments, and one for the answer. */
export function actionForm(tools: readonly ToolForm[]): Form {
  const branches = tools.map(({ name, parameters }) => branch(name, inputSchema(parameters)));
  const answer = branch(finalActionFor(tools), { type: "string", minLength: 1 });
  return { name: "action", schema: { anyOf: [...branches, answer] } };
}

function branch(action: string, input: object) {
  return {
    type: "object",
    properties: {
      thought: { type: "string" },
      action: { const: action },
      action_input: input,
    },
    required: ["thought", "action", "action_input"],
    additionalProperties: false,
  };
}

/** The tool's arguments; where they refer to definitions, which have no place in a branch, any object. */
function inputSchema(parameters: unknown): object {
  const refers = JSON.stringify(parameters ?? {}).includes('"$ref"');
  if (!isRecord(parameters) || refers) return { type: "object" };
  const { $schema: _dialect, ...schema } = parameters;
  const free = withFreeDates(schema);
  return { type: "object", ...(isRecord(free) ? free : {}) };
}
