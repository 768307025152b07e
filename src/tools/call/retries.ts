import { errorLine } from "../../observe/redact.js";
import { isControlFlow } from "../../run/errors.js";
import { type Attempted, type RetryPolicy, withRetries } from "../../run/retry.js";
import type { Next } from "../../run/stages.js";
import type { ErrorKind } from "../../state/observation.js";
import type { ToolPolicy } from "../policy.js";
import type { RunRequest } from "./stage.js";

const defaultRetry: RetryPolicy = { attempts: 3, baseMs: 500 };
const once: RetryPolicy = { attempts: 1, baseMs: 0 };
const retriedKinds: ReadonlySet<ErrorKind> = new Set(["timeout", "rate_limited", "unavailable"]);

/** Retries a call that failed temporarily, if its effect allows it. Permanent failures are data from here on. */
export function retries(
  request: RunRequest,
  next: Next<RunRequest, unknown>,
): Promise<Attempted<unknown>> {
  const { call, entry, context } = request;
  const { clock, emit, budget } = context.run;
  return withRetries(
    () => next(request),
    {
      policy: retryOf(entry.policy),
      mayRetry: ({ kind }) => retriedKinds.has(kind),
      clock,
      signal: budget.signal(),
      onRetry: ({ attempt, delayMs, error }) => {
        const reason = errorLine(error);
        emit({ type: "retry", of: call.name, callId: call.id, attempt, delayMs, reason });
      },
    },
    isControlFlow,
  );
}

function retryOf({ effect, retry, isModel }: ToolPolicy): RetryPolicy {
  const isRepeatable = effect === "read" || effect === "idempotent";
  if (!isRepeatable) return once;
  return retry ?? (isModel === true ? once : defaultRetry);
}
