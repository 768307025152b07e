import type { LangGraphRunnableConfig } from "@langchain/langgraph";

import type { ModelRequest } from "../models/model-request.js";
import type { ModelRole } from "../models/model.js";
import type { Run } from "./enter-run.js";

/** The part of a model request that the run's settings decide. Throws where the role's model cannot be opened. */
export async function modelRequest(
  run: Run,
  config: LangGraphRunnableConfig,
  role: ModelRole,
): Promise<Omit<ModelRequest, "messages" | "toUser">> {
  const { models, prices, contextTokens, modelIdleMs, protocol, wrapModelCall, handOffOn } =
    run.settings;
  return {
    role,
    models: await models(role),
    protocol,
    wrap: wrapModelCall,
    state: run.state,
    run,
    config,
    prices,
    contextTokens,
    idleMs: modelIdleMs,
    resultsMustBeRead: handOffOn.includes("unreadable"),
  };
}
