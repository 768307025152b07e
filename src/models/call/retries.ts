import { errorLine } from "../../observe/redact.js";
import { withRetries } from "../../run/retry.js";
import type { ModelStage } from "./stage.js";

/** Repeats a call after a passing failure, as often as the model's retry policy allows. */
export const retries: ModelStage = async (call, next) => {
  const { model, run, role, signal } = call;
  const attempted = await withRetries(
    (attempt) => next({ ...call, attempt }),
    {
      policy: model.retry,
      mayRetry: ({ kind, status }) =>
        kind === "unavailable" || kind === "rate_limited" || status === 408,
      clock: run.clock,
      signal,
      onRetry: ({ attempt, delayMs, error }) => {
        const reason = errorLine(error);
        run.emit({ type: "retry", of: model.name, role, attempt, delayMs, reason });
      },
    },
    () => false,
  );
  if (attempted.ok) return attempted.value;
  throw attempted.error;
};
