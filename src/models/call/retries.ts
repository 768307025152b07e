import { errorLine } from "../../observe/redact.js";
import { withRetries } from "../../run/retry.js";
import type { Stage } from "../../run/stages.js";
import type { Reply } from "../model-request.js";
import type { ModelAttempt, ModelCall } from "./stage.js";

/** Repeats a call after a passing failure, as often as the model's retry policy allows. */
export const retries: Stage<ModelCall, Reply, ModelAttempt> = async (call, next) => {
  const { model, run, role, signal } = call;
  const modelCallId = crypto.randomUUID();
  const attempted = await withRetries(
    (attempt) => next({ ...call, modelCallId, attempt }),
    {
      policy: model.retry,
      mayRetry: ({ kind, status }) =>
        kind === "unavailable" || kind === "rate_limited" || status === 408,
      clock: run.clock,
      signal,
      onRetry: ({ attempt, delayMs, error }) => {
        const reason = errorLine(error);
        run.emit({ type: "retry", of: model.name, modelCallId, role, attempt, delayMs, reason });
      },
    },
    () => false,
  );
  if (attempted.ok) return { ...attempted.value, modelCallId };
  throw attempted.error;
};
