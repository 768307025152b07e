export type { AgentOptions, FileGraph } from "./create-agent.js";
export { type AgentSummary, describeAgent, drawAgent, type ToolSummary } from "./describe-agent.js";
export { checkAgents, loadAgent, loadAgents } from "./load-agent.js";
export { reloadingAgent, type ReloadingAgentOptions } from "./reloading-agent.js";
export { type Problem as AgentProblem, problemLine } from "./problems.js";
