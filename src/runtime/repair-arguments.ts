import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import type { LangGraphRunnableConfig } from "@langchain/langgraph";

import type { StructuredForm } from "../models/fitting.js";
import { structuredReply } from "../models/structured-reply.js";
import { toolForm } from "../models/tool-forms.js";
import { isRecord, type JsonObject } from "../plan/json.js";
import { referencesIn } from "../plan/reference.js";
import { repairerInstructions, repairerTask } from "../prompts/repairer.js";
import { noUsage } from "../state/usage.js";
import { checkArguments } from "../tools/check-arguments.js";
import { readArguments } from "../tools/read-arguments.js";
import type { Toolbox, ToolEntry } from "../tools/toolbox.js";
import type { Run } from "./enter-run.js";
import { modelRequest } from "./model-request.js";
import type { Repair } from "./repair-step.js";

/** Lets the repairer model write arguments that a tool can use: one call for one step. */
export function createRepair(toolbox: Toolbox, run: Run, config: LangGraphRunnableConfig): Repair {
  return async (step, evidence, failed) => {
    const entry = toolbox.get(step.tool);
    if (entry === undefined) return { args: undefined, usage: noUsage };
    const task = repairerTask({
      tool: toolForm(entry.tool),
      planned: step.args,
      evidence: evidence.map(({ callId: id, content: value }) => ({ id, value })),
      problem: failed.error?.message ?? failed.content,
    });
    const request = {
      ...(await modelRequest(run, config, "repairer")),
      messages: [new SystemMessage(repairerInstructions), new HumanMessage(task)],
    };
    const reply = await structuredReply(request, argumentsForm(entry), "Write them now.", 0);
    return { args: reply.ok ? reply.value : undefined, usage: reply.usage };
  };
}

function argumentsForm({ tool }: ToolEntry): StructuredForm<JsonObject> {
  const { parameters } = toolForm(tool);
  const schema = isRecord(parameters) ? parameters : {};
  return {
    name: "arguments",
    schema,
    read: async (value) => {
      const read = readArguments(value);
      if (!read.ok) return read;
      const [left] = referencesIn(read.args);
      if (left !== undefined) return { ok: false, problem: `${left.text} is no value` };
      const problem = await checkArguments(tool, read.args);
      return problem === undefined ? { ok: true, value: read.args } : { ok: false, problem };
    },
  };
}
