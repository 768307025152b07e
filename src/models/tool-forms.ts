import type { StructuredToolInterface } from "@langchain/core/tools";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";

import type { ToolForm } from "../prompts/tool-protocol.js";

/** Forms already made: turning a zod schema into JSON takes longer than all the rest. */
const forms = new WeakMap<StructuredToolInterface, ToolForm>();

/** A tool's name, purpose and arguments as JSON schema. */
export function toolForm(tool: StructuredToolInterface): ToolForm {
  const known = forms.get(tool);
  if (known !== undefined) return known;
  const { name, description = "", parameters } = convertToOpenAITool(tool).function;
  const form = { name, description, parameters };
  forms.set(tool, form);
  return form;
}
