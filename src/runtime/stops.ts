import { START } from "@langchain/langgraph";

/**
 * The nodes after which a caller wants a run to stop, in the form in which LangGraph stops after nodes only. As
 * it is given, LangGraph 1.4 stops at the tasks in them as well: it drops these unmade, and the node goes on
 * without their results.
 */
export function stopsAfterNodes(config: object): { readonly interruptAfter?: readonly string[] } {
  const nodes: unknown = Reflect.get(config, "interruptAfter");
  if (nodes !== "*" && !Array.isArray(nodes)) return {};
  const includes = (name: string) => (nodes === "*" ? name !== START : nodes.includes(name));
  // For tasks LangGraph looks at the length first, and finds the list empty.
  return { interruptAfter: Object.assign([], { includes }) };
}
