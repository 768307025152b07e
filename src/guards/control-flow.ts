import { GraphBubbleUp, isGraphBubbleUp } from "@langchain/langgraph";

/** LangGraph's own control flow by name: a tool may come with another copy of LangGraph than ours. */
const names: ReadonlySet<unknown> = new Set([
  "GraphInterrupt",
  "NodeInterrupt",
  "GraphDrained",
  "ParentCommand",
]);

/**
 * Whether LangGraph threw this, to pause or to go on elsewhere. Its own check believes whatever has a field
 * `is_bubble_up`, and fails on a thrown `null`; a run would end without an outcome.
 */
export function isControlFlow(error: unknown): boolean {
  try {
    if (error instanceof GraphBubbleUp) return true;
    return error instanceof Error && isGraphBubbleUp(error) && names.has(error.name);
  } catch {
    // A proxy, or a getter that throws.
    return false;
  }
}
