import type { BaseMessage } from "@langchain/core/messages";
import type { LangGraphRunnableConfig } from "@langchain/langgraph";

import type { Json } from "../json/json.js";
import type { Step } from "../plan/step.js";
import type { SubRunState } from "../state/conversation.js";
import type { Observation } from "../state/observation.js";
import type { Outcome } from "../state/outcome.js";

/** A graph of plangraph, as far as another one needs it that has it work for its own run. */
export type AgentGraph = {
  // LangGraph types the input by the graph's state; it gets messages, or its own result with decisions.
  invoke(input: object, config?: LangGraphRunnableConfig): Promise<AgentResult>;
};

/** What of a graph's result the calling run goes by. */
export type AgentResult = SubRunState & {
  readonly messages?: BaseMessage[];
  readonly answer?: string | undefined;
  readonly outcome?: Outcome | undefined;
  readonly structuredResponse?: Json | undefined;
  readonly observations?: Observation[];
  /** The plan, in graphs that have one. */
  readonly steps?: readonly Step[];
};
