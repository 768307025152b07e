import { admitIn } from "../../run/admission.js";
import { untilAborted } from "../../run/signals.js";
import type { Stage } from "../../run/stages.js";
import type { Reply } from "../model-request.js";
import type { ModelAttempt } from "./stage.js";

/** Waits until whoever runs the graph lets the request go: a server that limits its providers. */
export const admission: Stage<ModelAttempt, Reply> = async (call, next) => {
  const { signal, model } = call;
  const admit = admitIn(call.config);
  if (admit === undefined) return next(call);
  const { provider } = model;
  const release = await untilAborted(() => admit({ provider, signal }), signal);
  try {
    return await next(call);
  } finally {
    release();
  }
};
