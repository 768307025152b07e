/**
 * The names of OpenTelemetry's conventions for generative AI, all in development: look here when they change.
 * https://github.com/open-telemetry/semantic-conventions-genai
 */
export const genAi = {
  operation: "gen_ai.operation.name",
  agent: "gen_ai.agent.name",
  conversation: "gen_ai.conversation.id",
  provider: "gen_ai.provider.name",
  requestModel: "gen_ai.request.model",
  responseModel: "gen_ai.response.model",
  finishReasons: "gen_ai.response.finish_reasons",
  inputTokens: "gen_ai.usage.input_tokens",
  outputTokens: "gen_ai.usage.output_tokens",
  cachedTokens: "gen_ai.usage.cache_read.input_tokens",
  tool: "gen_ai.tool.name",
  toolType: "gen_ai.tool.type",
  toolCall: "gen_ai.tool.call.id",
  tokenType: "gen_ai.token.type",
  errorType: "error.type",
  // Content, which is opt-in.
  systemInstructions: "gen_ai.system_instructions",
  inputMessages: "gen_ai.input.messages",
  outputMessages: "gen_ai.output.messages",
  toolDefinitions: "gen_ai.tool.definitions",
  toolArguments: "gen_ai.tool.call.arguments",
  toolResult: "gen_ai.tool.call.result",
} as const;

/** What the conventions have no name for. */
export const own = {
  run: "plangraph.run.id",
  role: "plangraph.role",
  attempt: "plangraph.attempt",
  attempts: "plangraph.tool.attempts",
  outcome: "plangraph.outcome",
  limit: "plangraph.limit",
  stage: "plangraph.retrieval.stage",
  resumed: "plangraph.resumed",
  waitedFor: "plangraph.step.waited_for",
  cost: "plangraph.cost.usd",
  steps: "plangraph.plan.steps",
} as const;

/** The kinds of work that the conventions know. */
export const operations = {
  agent: "invoke_agent",
  plan: "plan",
  model: "chat",
  tool: "execute_tool",
} as const;

/** The names of the metrics. */
export const metricNames = {
  operation: "gen_ai.client.operation.duration",
  tokens: "gen_ai.client.token.usage",
  firstToken: "gen_ai.client.operation.time_to_first_chunk",
  agent: "gen_ai.invoke_agent.duration",
  tool: "gen_ai.execute_tool.duration",
  runs: "plangraph.runs",
  toolAttempts: "plangraph.tool.attempts",
  retrieval: "plangraph.retrieval.duration",
  corrections: "plangraph.corrections",
  retries: "plangraph.retries",
  degraded: "plangraph.degraded",
  cost: "plangraph.cost.usd",
} as const;

/** The buckets that the conventions advise, in seconds and in tokens. */
export const buckets = {
  seconds: [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92],
  tokens: [
    1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216,
    67_108_864,
  ],
};
