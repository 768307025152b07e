import { isProviderTool, type ProviderTool } from "../models/provider-tool.js";
import { invalidTool } from "./policy.js";

/** Where a graph calls tools: in turns of an agent, in tasks with turns of their own, or as the steps of a plan. */
export type CallPlace = "turns" | "tasks" | "steps";

/**
 * Takes the provider's tools out of a list of tools. Throws `invalid_tool` where the graph cannot offer them: the steps of
 * a plan and calls in JSON are run by this program.
 */
export function splitTools(given: readonly unknown[], calls: CallPlace, protocol?: unknown) {
  const provided = Array.isArray(given) ? given.filter(isProviderTool) : [];
  const [first] = provided;
  if (first !== undefined && (calls === "steps" || protocol === "json")) {
    const why = calls === "steps" ? "the steps of a plan" : 'protocol "json"';
    throw invalidTool(
      `The tool of type "${first.type}" is run by the model's server, where ${why} cannot call it. Expected a LangChain tool.`,
    );
  }
  const own = provided.length === 0 ? given : given.filter((tool) => !isProviderTool(tool));
  return { own, provided };
}

/** Whether a tool is one that this program runs. */
export function isNamedTool<Tool extends { readonly name: string }>(
  tool: Tool | ProviderTool,
): tool is Tool {
  return !isProviderTool(tool);
}

/** How a planner of tasks reads of such a tool. */
export function providerToolForm({ type }: ProviderTool) {
  return { name: type, description: "Run by the model's own server.", parameters: {} };
}
