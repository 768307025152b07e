import { errorLine } from "../../observe/redact.js";
import { roleUsage } from "../../state/usage.js";
import { plainText } from "../message.js";
import { CallFailed } from "../model-failure.js";
import type { Reply } from "../model-request.js";
import type { ModelCall, ModelStage } from "./stage.js";

/** Makes an attempt unless a limit forbids it, emits its events, and records its usage, failed or not. */
export const accounting: ModelStage = async (call, next) => {
  const { run, role, record, attempt = 1 } = call;
  begin(call);
  const of = { model: call.model.name, attempt, role };
  const startedAt = run.clock.now();
  run.emit({ type: "model_started", ...of });
  try {
    const reply = await next(call);
    const { used: usage, message } = reply;
    record(usage);
    run.emit({
      type: "model_finished",
      ...of,
      ms: run.clock.now() - startedAt,
      usage,
      toolCalls: (message.tool_calls ?? []).map(({ name }) => name),
      content: contentOf(message),
    });
    return reply;
  } catch (error) {
    record(roleUsage(role, { modelCalls: 1 }));
    const ms = run.clock.now() - startedAt;
    run.emit({ type: "model_failed", ...of, ms, error: errorLine(error) });
    throw error;
  }
};

/** Counts the call as begun. The final-answer call is made whatever the limits are. */
function begin({ run: { budget }, isFinalAnswer, model }: ModelCall): void {
  if (isFinalAnswer === true) {
    budget.count("modelCalls");
    return;
  }
  const limit = budget.begin("modelCalls");
  if (limit !== undefined) throw new CallFailed({ kind: "limit", limit, model: model.name });
}

/** The text of a reply, and the reasoning beside it. */
function contentOf(message: Reply["message"]): { text: string; thought?: string } {
  const thought: unknown = message.additional_kwargs["reasoning_content"];
  const text = plainText(message);
  return typeof thought === "string" && thought !== "" ? { text, thought } : { text };
}
