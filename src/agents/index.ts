export type { AgentOptions } from "./make/create-agent.js";
export {
  type AgentSummary,
  describeAgent,
  drawAgent,
  type ServerSummary,
  type ToolSummary,
  workflowInput,
} from "./describe-agent.js";
export {
  type CheckedAgents,
  checkAgents,
  type Closable,
  type FileGraph,
  loadAgent,
  loadAgents,
} from "./load-agent.js";
export { reloadingAgent, type ReloadingAgentOptions } from "./reloading-agent.js";
export { type Problem as AgentProblem, problemLine } from "./read/problems.js";
