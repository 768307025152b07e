import { AIMessage, type AIMessageFields } from "@langchain/core/messages";

import type { ModelCall } from "../../src/models/call/stage.js";
import type { Reply } from "../../src/models/model-request.js";
import type { ModelHandle } from "../../src/models/model.js";
import { openModel } from "../../src/models/open-model.js";
import { nativeProtocol } from "../../src/models/provider/native-protocol.js";
import { addUsage, noUsage, roleUsage, type Usage } from "../../src/state/usage.js";
import { scriptedModel } from "../../src/testing/index.js";
import { modelRequest, type RequestOptions } from "./model-request.js";

/** A model that is never called. */
export async function namedModel(name: string, parts: Partial<ModelHandle> = {}) {
  const handle = await openModel(scriptedModel([]), {});
  return { ...handle, name, missing: new Set(handle.missing), ...parts };
}

/** A call of a model as a stage is handed it, and what its run saw. */
export function modelCall(
  model: ModelHandle,
  options: RequestOptions & Partial<Pick<ModelCall, "models" | "missing">> = {},
) {
  const { missing, models = [model], ...rest } = options;
  const { request, ...run } = modelRequest(models, rest);
  const { budget } = run;
  let usage: Usage = noUsage;
  const record = (used: Usage) => {
    usage = addUsage(usage, used);
  };
  const signal = rest.isFinalAnswer === true ? budget.finalAnswerSignal() : budget.signal();
  const call: ModelCall = {
    ...request,
    model,
    signal,
    record,
    ...(missing === undefined ? {} : { missing }),
  };
  return { call, ...run, usage: () => usage };
}

/** A reply as the stages inside hand it on. */
export function replyOf(fields: AIMessageFields | string, parts: Partial<Reply> = {}): Reply {
  const message = typeof fields === "string" ? new AIMessage(fields) : new AIMessage(fields);
  const used = roleUsage("executor", { modelCalls: 1 });
  return { message, model: "a", protocol: nativeProtocol, used, ...parts };
}

/** A `next` that gives replies, or throws errors, in order, and what it was called with. */
export function scriptedNext(outcomes: readonly (Reply | Error)[]) {
  const calls: ModelCall[] = [];
  const next = async (call: ModelCall): Promise<Reply> => {
    const outcome = outcomes[calls.length];
    calls.push(call);
    if (outcome === undefined) throw new Error(`call ${calls.length} was not expected`);
    if (outcome instanceof Error) throw outcome;
    return outcome;
  };
  return { next, calls };
}
