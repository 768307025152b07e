import { defined } from "../../json/json.js";
import type { ReplyContent } from "../../observe/events.js";
import { errorLine } from "../../observe/redact.js";
import { classifyError } from "../../run/errors.js";
import type { Stage } from "../../run/stages.js";
import { roleUsage } from "../../state/usage.js";
import { plainText } from "../message.js";
import { CallFailed } from "../model-failure.js";
import type { Reply } from "../model-request.js";
import { requestToSend } from "./request-to-send.js";
import { callsIn, modelInput } from "../model-input.js";
import { finishReason } from "../reply.js";
import { cachedTokens } from "../usage.js";
import type { ModelAttempt, ModelCall } from "./stage.js";

/** Makes an attempt unless a limit forbids it, emits its events, and records its usage, failed or not. */
export const accounting: Stage<ModelAttempt, Reply, ModelCall> = async (call, next) => {
  const { run, role, record, attempt, modelCallId } = call;
  begin(call);
  const { name: model, provider } = call.model;
  const of = { model, modelCallId, attempt, role, ...defined({ for: call.for, provider }) };
  const startedAt = run.clock.now();
  const sinceStart = () => run.clock.now() - startedAt;
  let firstTokenMs: number | undefined;
  const onToken = () => {
    firstTokenMs ??= sinceStart();
  };
  run.emit({ type: "model_started", ...of }, () => modelInput(requestToSend(call)));
  const work = () => next({ ...call, onToken });
  const here = { type: "model", runId: run.runId, modelCallId, attempt } as const;
  try {
    const reply = await (run.watch === undefined ? work() : run.watch.around(here, work));
    const { used: usage, message } = reply;
    record(usage);
    run.emit({
      type: "model_finished",
      ...of,
      ms: sinceStart(),
      ...defined({ firstTokenMs, ...endingOf(message) }),
      usage,
      toolCalls: (message.tool_calls ?? []).map(({ name }) => name),
      content: contentOf(message),
    });
    return reply;
  } catch (error) {
    record(roleUsage(role, { modelCalls: 1 }));
    run.emit({
      type: "model_failed",
      ...of,
      ms: sinceStart(),
      error: errorLine(error),
      ...(error instanceof CallFailed ? {} : { kind: kindOf(error, run) }),
    });
    throw error;
  }
};

/** The caller aborts with any reason: by that alone nobody sees that nothing failed. */
function kindOf(error: unknown, { budget }: ModelCall["run"]) {
  return budget.aborted() ? "cancelled" : classifyError(error).kind;
}

/** Counts the call as begun. The final-answer call is made whatever the limits are. */
function begin({ run: { budget }, isFinalAnswer, model }: ModelCall): void {
  if (isFinalAnswer === true) {
    budget.count("modelCalls");
    return;
  }
  const limit = budget.begin("modelCalls");
  if (limit !== undefined) throw new CallFailed({ kind: "limit", limit, model: model.name });
}

/** What the server reports of a reply beside its content. */
function endingOf(message: Reply["message"]) {
  const named: unknown =
    message.response_metadata["model_name"] ?? message.response_metadata["model"];
  return {
    finishReason: finishReason(message),
    responseModel: typeof named === "string" ? named : undefined,
    cachedTokens: cachedTokens(message),
  };
}

/** The text of a reply, the reasoning beside it, and its tool calls. */
function contentOf(message: Reply["message"]): ReplyContent {
  const thought: unknown = message.additional_kwargs["reasoning_content"];
  return {
    text: plainText(message),
    ...(typeof thought === "string" && thought !== "" ? { thought } : {}),
    ...defined({ calls: callsIn(message) }),
  };
}
