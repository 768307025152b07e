import { defined } from "../../json/json.js";
import { isDeclined } from "../../state/outcome.js";
import { CallFailed, failureOf } from "../model-failure.js";
import type { ModelStage } from "./stage.js";

/** Asks the role's models in order until one replies or a limit is reached. All their failures become `CallFailed`. */
export const fallbacks: ModelStage = async (call, next) => {
  const { run, role, model } = call;
  const [other, ...others] = call.models.slice(1);
  try {
    return { ...(await next(call)), model: model.name };
  } catch (error) {
    const failure = failureOf(error, call);
    // A fallback would only bypass the refusal.
    const isFinal = failure.kind === "limit" || isDeclined(failure.cause);
    if (isFinal || other === undefined) throw new CallFailed(failure);
    const of = { from: model.name, to: other.name, role, ...defined({ for: call.for }) };
    run.emit({ type: "fallback", ...of, reason: failure.reason });
    return fallbacks({ ...call, model: other, models: [other, ...others] }, next);
  }
};
