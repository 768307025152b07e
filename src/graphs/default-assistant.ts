import type { StructuredToolInterface } from "@langchain/core/tools";

import { defined } from "../json/json.js";
import type { RunOptions } from "../runtime/options.js";
import { marksOf } from "../tools/policy.js";
import { type AssistantGraph, type AssistantOptions, createAssistantGraph } from "./assistant.js";
import { createReactGraph } from "./react.js";

/** Tools that only help an agent: without others there is nothing that it could do for the user. */
const helpers: ReadonlySet<string> = new Set([
  "calculator",
  "random_number",
  "current_date",
  "read_result",
]);

type DefaultOptions = RunOptions &
  Pick<AssistantOptions, "checkpointer" | "store"> & {
    readonly tools: readonly StructuredToolInterface[];
  };

/**
 * The assistant of the command line and of LangGraph Studio: a tool named `search_knowledge` is its knowledge base, and
 * an agent has the others, if some of them do things.
 */
export function createDefaultAssistant({
  tools,
  checkpointer,
  store,
  ...run
}: DefaultOptions): AssistantGraph {
  const knowledge = tools.find(({ name }) => name === "search_knowledge");
  const others = tools.filter((tool) => tool !== knowledge);
  const acts = others.filter((tool) => !helpers.has(tool.name) && marksOf(tool).role === undefined);
  const options = { ...run, ...defined({ checkpointer, store, knowledge }) };
  if (acts.length === 0 && knowledge !== undefined) return createAssistantGraph(options);
  // It inherits the assistant's memory.
  const { memory: _memory, ...own } = run;
  const means = namesOf(acts.length === 0 ? others : acts);
  const description = `what has to be looked up or done for this user, with: ${means}`;
  const agent = { description, graph: createReactGraph({ ...own, tools: others }) };
  return createAssistantGraph({ ...options, agent });
}

function namesOf(tools: readonly StructuredToolInterface[]): string {
  return tools.map(({ name }) => name).join(", ");
}
