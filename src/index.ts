export type { GraphOptions } from "./graphs/graph-options.js";
export type { AgentExample, PlanExample, TaskExample } from "./roles/examples.js";
export type { ContextField } from "./run/context-fields.js";
export { type Card, type CardOptions, defineCard, type ReadCard } from "./cards/card.js";
export { cardMessage, cardResult } from "./cards/card-message.js";
export type { CardReply, RefusedClick } from "./cards/conversation.js";
export { tellCard } from "./cards/tell-card.js";
export { readCardReply, tellMessages } from "./cards/tell-messages.js";
export {
  type ActingAgent,
  type AssistantGraph,
  type AssistantOptions,
  createAssistantGraph,
} from "./graphs/assistant.js";
export { asTool, type AsToolInput, type AsToolOptions } from "./graphs/as-tool.js";
export {
  createPlanExecuteGraph,
  type PlanExecuteGraph,
  type PlanExecuteOptions,
} from "./graphs/plan-execute.js";
export { createReactGraph, type ReactGraph, type ReactOptions } from "./graphs/react.js";
export {
  createLlmCompilerGraph,
  type LlmCompilerGraph,
  type LlmCompilerOptions,
} from "./graphs/llm-compiler.js";
export {
  createReloadingGraph,
  type ReloadingGraph,
  type ReloadingOptions,
} from "./graphs/reloading.js";
export { createRewooGraph, type RewooGraph, type RewooOptions } from "./graphs/rewoo.js";
export {
  createRouterGraph,
  type Route,
  type RouterGraph,
  type RouterOptions,
} from "./graphs/router.js";
export {
  createWorkflowGraph,
  type WorkflowGraph,
  type WorkflowOptions,
} from "./graphs/workflow.js";
export type { WorkflowDefinition } from "./graphs/workflow/form.js";
export { PlangraphError, type PlangraphErrorCode } from "./errors.js";
export { type Clock, clockFrom, systemClock } from "./run/clock.js";
export { defaultLimits, type Limits, type ResolvedLimits } from "./run/limits.js";
export type {
  ChangedModelCall,
  ModelCallHandler,
  ModelCallRequest,
  SystemPrompt,
  WrapModelCall,
} from "./models/model-hook.js";
export type {
  Memory,
  MemoryProvider,
  MemoryReply,
  MemoryRequest,
  MemoryValue,
  RunMemory,
} from "./run/memory.js";
export type { RetryPolicy } from "./run/retry.js";
export type { Environment, ModelLike, ModelOrSpec, ModelRole, Models } from "./models/model.js";
export type { Protocol } from "./models/provider/capabilities.js";
export type { Price, Prices } from "./models/usage.js";
export type { ResponseFormat } from "./models/response-format.js";
export type { Redact } from "./observe/clean-event.js";
export type { AgentEvent, EventLevel } from "./observe/events.js";
export type {
  EventDetail,
  InputMessage,
  ModelInput,
  ObservedWork,
  Observer,
} from "./observe/observer.js";
export {
  allSpans,
  type Span,
  type SpanKind,
  spanTree,
  type SpanStatus,
} from "./observe/span-tree.js";
export type { Executor, Executors } from "./graphs/executors.js";
export type { ReviewAnswer } from "./nodes/answer-review.js";
export type { Check, Checked, CheckRuntime } from "./runtime/checks.js";
export type { Draft } from "./state/conversation.js";
export type { JumpTarget, Middleware } from "./runtime/middleware.js";
export type { Json, JsonObject } from "./json/json.js";
export type { ReadPlanOptions } from "./plan/parse/plan-draft.js";
export type { PlanIssue, PlanIssueKind } from "./plan/plan-issue.js";
export { parsePlan } from "./plan/parse/parse-plan.js";
export { canonicalPlan, printPlan } from "./plan/print-plan.js";
export { type Finished, readySteps, skippedSteps } from "./plan/plan-order.js";
export {
  continueIds,
  nextStepId,
  type ReadPlan,
  type Step,
  type TaskStep,
  type ToolStep,
} from "./plan/step.js";
export { type Bindings, type Substituted, substituteReferences } from "./plan/references.js";
export { type PlanRules, type PlanTool, validatePlan } from "./plan/validate-plan.js";
export type { History, RoleHistory } from "./runtime/role-history.js";
export type { MessagesGraph } from "./runtime/langgraph-route.js";
export type { AgentGraph, AgentResult } from "./runtime/graph-tool.js";
export type { Replanning, Reports } from "./plan/replanning.js";
export {
  type CallInFlight,
  type UnfinishedRun,
  unfinishedRuns,
  type UnfinishedRunsOptions,
} from "./runtime/threads/unfinished-runs.js";
export { RunContext, type RunContextFields, type RunOptions } from "./runtime/options.js";
export { ConversationState } from "./state/conversation.js";
export type { ClickedCard, MemoryRecord, Remembered } from "./state/memory.js";
export {
  type Fact,
  type FactOwner,
  type FactsOption,
  forgetFacts,
  readFacts,
} from "./runtime/facts.js";
export type { Passage, Query, Source } from "./state/assist.js";
export type { RunRecord } from "./state/pending.js";
export type {
  ErrorKind,
  FileBlock,
  ImageBlock,
  MediaBlock,
  MediaKind,
  Observation,
  RunOfCall,
} from "./state/observation.js";
export type { HandOffCause, Outcome, OutcomeCause } from "./state/outcome.js";
export type { LimitName, ReachedLimit } from "./state/limits.js";
export {
  type ActionRequest,
  type AllowedDecision,
  type Decision,
  type DecisionRecord,
  PersonRequests,
  type ReviewConfig,
} from "./state/person-requests.js";
export type { ModelUsage, Usage } from "./state/usage.js";
export { askUser } from "./tools/builtin/people.js";
export { calculator } from "./tools/builtin/calculator.js";
export { compare } from "./tools/builtin/compare.js";
export { createCurrentDateTool } from "./tools/builtin/date-tools.js";
export { handOff } from "./tools/builtin/people.js";
export { uncheckedPatternsOf } from "./tools/linear-pattern.js";
export { type ToolPolicy, withPolicy } from "./tools/policy.js";
export { searchable, type SearchableOptions } from "./tools/searchable.js";
export type { ProviderTool } from "./models/provider-tool.js";
export { createRandomNumberTool, randomNumber } from "./tools/builtin/random-number.js";
export { createResolveDateTool, type ResolveDateOptions } from "./tools/builtin/date-tools.js";
export { ToolError } from "./tools/policy.js";
export { createWikipediaTool } from "./tools/builtin/wikipedia.js";
export type { ToolCallHandler, ToolCallRequest, WrapToolCall } from "./tools/wrap-tool-call.js";
