import { type BaseMessage, SystemMessage } from "@langchain/core/messages";

import { memorySection } from "../../prompts/memory-section.js";
import type { RunMemory } from "../../run/memory.js";
import { CallFailed, failureOf } from "../model-failure.js";
import type { ModelRole } from "../model.js";
import type { ModelCall, ModelStage } from "./stage.js";

/** Roles that work on a part of the run, for which the rest is noise. */
const untold: ReadonlySet<ModelRole> = new Set(["repairer", "reranker"]);

/** Reads what the application knows before the call, and tells it at the end of the system message. */
export const memory: ModelStage = (call, next) => {
  const { memory: known } = call.run;
  if (known === undefined || known.isEmpty || untold.has(call.role)) return next(call);
  return told(call, known, next);
};

async function told(call: ModelCall, known: RunMemory, next: Parameters<ModelStage>[1]) {
  try {
    await known.refresh();
  } catch (error) {
    throw new CallFailed(failureOf(error, call));
  }
  const lines = [...known.values()].map(([name, value]) => ({
    name,
    text: "failed" in value ? undefined : value.text,
  }));
  const section = memorySection(lines);
  return next(section === "" ? call : { ...call, messages: withSection(section, call.messages) });
}

/** At the end, so that what comes before it is the same in every call: providers cache the beginning of a prompt. */
function withSection(section: string, messages: readonly BaseMessage[]): BaseMessage[] {
  const [first, ...rest] = messages;
  if (first === undefined || first.type !== "system") {
    return [new SystemMessage(section), ...messages];
  }
  const { content } = first;
  const both =
    typeof content === "string"
      ? `${content}\n\n${section}`
      : [...content, { type: "text", text: section } as const];
  return [new SystemMessage({ content: both }), ...rest];
}
