import { type Attributes, type Histogram, type Meter, metrics } from "@opentelemetry/api";

import { defined } from "../json/json.js";
import type { AgentEvent } from "../observe/events.js";
import { buckets, genAi, metricNames, operations, own } from "./names.js";
import { endOf } from "../state/outcome.js";

type Of<Type extends AgentEvent["type"]> = Extract<AgentEvent, { readonly type: Type }>;

/** The instruments, by what they measure. */
function createInstruments(meter: Meter) {
  const seconds = (name: string, description: string): Histogram =>
    meter.createHistogram(name, {
      description,
      unit: "s",
      advice: { explicitBucketBoundaries: buckets.seconds },
    });
  const count = (name: string, description: string) => meter.createCounter(name, { description });
  return {
    operation: seconds(metricNames.operation, "Time of a request to a model"),
    firstToken: seconds(metricNames.firstToken, "Time to the first token of a reply"),
    agent: seconds(metricNames.agent, "Working time of a run, without waiting for people"),
    tool: seconds(metricNames.tool, "Time of a tool call with all its attempts"),
    retrieval: seconds(metricNames.retrieval, "Time of a stage of a search in a knowledge base"),
    tokens: meter.createHistogram(metricNames.tokens, {
      description: "Tokens of a request to a model",
      unit: "{token}",
      advice: { explicitBucketBoundaries: buckets.tokens },
    }),
    runs: count(metricNames.runs, "Runs by how they ended"),
    attempts: count(metricNames.toolAttempts, "Attempts of tool calls"),
    corrections: count(metricNames.corrections, "Replies that went back to the model"),
    retries: count(metricNames.retries, "Attempts that were repeated"),
    degraded: count(metricNames.degraded, "Runs that continued as another graph"),
    cost: count(metricNames.cost, "US dollars, by the graph's prices"),
  };
}

/** Records what happens as metrics. Labels are names and causes only: no run, thread, call or text. */
export function createMetrics(
  meter: Meter = metrics.getMeter("plangraph"),
): (event: AgentEvent) => void {
  const instruments = createInstruments(meter);
  const { operation, firstToken, agent, tool, tokens, ...counts } = instruments;
  const graphs = new Map<string, string>();

  const modelEnded = (event: Of<"model_finished"> | Of<"model_failed">) => {
    const labels = modelLabels(event);
    const error = event.type === "model_failed" ? { [genAi.errorType]: "_OTHER" } : {};
    operation.record(event.ms / 1_000, { ...labels, ...error });
    if (event.type === "model_failed") return;
    const { usage, firstTokenMs } = event;
    tokens.record(usage.tokensIn, { ...labels, [genAi.tokenType]: "input" });
    tokens.record(usage.tokensOut, { ...labels, [genAi.tokenType]: "output" });
    if (firstTokenMs !== undefined) firstToken.record(firstTokenMs / 1_000, labels);
    if (usage.costUsd > 0) counts.cost.add(usage.costUsd, labels);
  };
  const toolEnded = ({ tool: name, ms, error, attempts: made }: Of<"tool_finished">) => {
    // No tool took time over a refused or skipped call; and its name may be one that a model made up.
    if (made === 0) return;
    const labels = { [genAi.tool]: name, ...errorType(error) };
    tool.record(ms / 1_000, { ...labels, [genAi.operation]: operations.tool });
    counts.attempts.add(made, labels);
  };
  const runEnded = ({ runId, ms, outcome }: Of<"run_finished">) => {
    const labels = {
      [genAi.agent]: graphs.get(runId) ?? "",
      [own.outcome]: endOf(outcome),
      ...defined({ [own.limit]: outcome.limit }),
    };
    graphs.delete(runId);
    counts.runs.add(1, labels);
    agent.record(ms / 1_000, { ...labels, [genAi.operation]: operations.agent });
  };
  return (event: AgentEvent): void => {
    if (event.type === "run_started") graphs.set(event.runId, event.graph);
    else if (event.type === "run_finished") runEnded(event);
    else if (event.type === "run_stopped") graphs.delete(event.runId);
    else if (event.type === "model_finished" || event.type === "model_failed") modelEnded(event);
    else if (event.type === "tool_finished") toolEnded(event);
    else recordPart(event, instruments);
  };
}

/** Records a part of the work on a model call, a plan or a search. */
function recordPart(
  event: AgentEvent,
  {
    retrieval,
    retries,
    corrections,
    degraded,
  }: Pick<
    ReturnType<typeof createInstruments>,
    "retrieval" | "retries" | "corrections" | "degraded"
  >,
): void {
  if (event.type === "retrieved") retrieval.record(event.ms / 1_000, stageLabels(event));
  else if (event.type === "retry") retries.add(1, { of: event.of });
  else if (event.type === "model_corrected")
    corrections.add(1, { [genAi.requestModel]: event.model });
  else if (event.type === "degraded") degraded.add(1, { to: event.to });
}

function stageLabels({ stage, error }: Of<"retrieved">): Attributes {
  return { [own.stage]: stage, ...errorType(error === undefined ? undefined : "_OTHER") };
}

function modelLabels({
  model,
  provider,
  role,
}: Of<"model_finished"> | Of<"model_failed">): Attributes {
  return {
    [genAi.operation]: operations.model,
    [genAi.requestModel]: modelName(model),
    ...defined({ [genAi.provider]: provider, [own.role]: role }),
  };
}

/** The model's name without the provider of a spec. */
export function modelName(model: string): string {
  return model.replace(/^[a-z][\w-]*:/i, "");
}

/** The attribute of an error's kind, if there is one. */
function errorType(kind: string | undefined): Attributes {
  return kind === undefined ? {} : { [genAi.errorType]: kind };
}
