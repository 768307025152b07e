import { stages } from "../run/stages.js";
import { addUsage, noUsage, type Usage } from "../state/usage.js";
import { accounting } from "./call/accounting.js";
import { admission } from "./call/admission.js";
import { capabilities } from "./call/capabilities.js";
import { contextWindow } from "./call/context-window.js";
import { continuation } from "./call/continuation.js";
import { corrections } from "./call/corrections.js";
import { fallbacks } from "./call/fallbacks.js";
import { hooks } from "./call/hooks.js";
import { invoke } from "./call/invoke.js";
import { memory } from "./call/memory.js";
import { retries } from "./call/retries.js";
import type { ModelCall } from "./call/stage.js";
import { systemPrompt } from "./call/system-prompt.js";
import { CallFailed } from "./model-failure.js";
import type { ModelReply, ModelRequest, Reply } from "./model-request.js";

/** The stages around a model call, the outermost first. */
const road = stages<ModelCall, Reply>()
  .through(systemPrompt) // puts the graph's system prompt before the role's instructions
  .through(memory) // reads what the application knows, and tells it
  .through(corrections) // sends a reply that cannot be used back to the model
  .through(continuation) // asks for the rest of a text that was cut
  .through(fallbacks) // asks the role's next model when one fails
  .through(hooks) // the user's wrapModelCall
  .through(capabilities) // asks in another way for what the server refuses
  .through(contextWindow) // trims the messages to what fits
  .through(retries) // repeats a call that failed for the moment
  .through(admission) // waits for a server's leave to ask this provider
  .through(accounting) // asks the limits, records usage, emits events
  .to(invoke);

/** Calls a model; nothing else does. A failure is data. Throws on the caller's abort, and LangGraph's control flow. */
export async function callModel(request: ModelRequest): Promise<ModelReply> {
  const { budget } = request.run;
  const [model] = request.models;
  let usage = noUsage;
  if (model === undefined) {
    return { kind: "failed", reason: "No model is configured.", model: "", usage };
  }
  const record = (used: Usage) => {
    usage = addUsage(usage, used);
    budget.record(used);
  };
  const signal = request.isFinalAnswer === true ? budget.finalAnswerSignal() : budget.signal();
  try {
    const reply = await road({ ...request, model, signal, record });
    return { kind: "replied", ...reply, usage };
  } catch (error) {
    if (error instanceof CallFailed) return { ...error.failure, usage };
    throw error;
  }
}
