import { isGraphBubbleUp } from "@langchain/langgraph";

/** Whether LangGraph threw this, to pause or to go on elsewhere. Its own check fails on a thrown `null`. */
export function isControlFlow(error: unknown): boolean {
  return error !== null && isGraphBubbleUp(error);
}
