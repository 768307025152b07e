import { type AIMessage, HumanMessage } from "@langchain/core/messages";

import {
  correctionPrompt,
  wantedAction,
  wantedCall,
  writtenCallPrompt,
} from "../prompts/tool-protocol.js";
import { isDeclined } from "../state/outcome.js";
import { addUsage, noUsage } from "../state/usage.js";
import { type ModelReply, type ModelRequest, type SentBack, toolForm } from "./model-request.js";
import { replyProblem, withReadableCalls } from "./reply.js";
import { plainText } from "./message.js";
import { requestModel } from "./request-model.js";
import { type Asked, wholeReply } from "./whole-reply.js";

/** How often a reply that cannot be used goes back to the model. */
const maxCorrections = 2;

/**
 * Asks a model: the only place that calls one. Fits the history to the model's context, checks the
 * limits, calls with retries and fallbacks, and reads the reply: one that is empty, cut off inside a
 * tool call or malformed goes back to the model with what was wrong, twice at most; a text that was cut
 * is continued. A model's failure is data. Throws only when the caller aborts.
 */
export async function callModel(request: ModelRequest): Promise<Asked> {
  let usage = noUsage;
  let postscript = request.postscript ?? [];
  let sentBack: SentBack | undefined;
  for (let corrections = 0; ; corrections += 1) {
    const isLast = corrections === maxCorrections;
    const turn = { isCorrection: corrections > 0, isLast, sentBack };
    const reply = await wholeReply({ ...request, ...turn, postscript }, askInTurn);
    usage = addUsage(usage, reply.usage);
    if (reply.kind !== "replied") return { ...reply, usage };
    const message = withReadableCalls(reply.message, request.tools);
    const problem = reply.problem ?? replyProblem(message);
    if (problem === undefined) return { ...reply, message, usage };
    const { run, role } = request;
    run.emit({ type: "model_corrected", model: reply.model, role, content: { problem } });
    if (isLast) {
      const reason = `The model "${reply.model}" gave no usable reply ${maxCorrections + 1} times; the last time ${problem}.`;
      return { kind: "failed", reason, model: reply.model, usage };
    }
    sentBack = sentBackIn(reply, message) ?? sentBack;
    const asked = correction(request, { ...reply, message, problem }, sentBack);
    postscript = [...(request.postscript ?? []), asked];
  }
}

type Replied = ModelReply & { readonly kind: "replied" };

/** The reply as one that goes back with the question whether its call is meant; nothing for others. */
function sentBackIn({ written, protocol }: Replied, message: AIMessage): SentBack | undefined {
  if (written === undefined) return undefined;
  return { text: plainText(message).trim(), isTurned: protocol === "native" };
}

/** Tells a model what was wrong with its reply, or asks whether it means the call in it. */
function correction(
  request: ModelRequest,
  { message, problem = "", written = [], protocol }: Replied,
  sentBack: SentBack | undefined,
): HumanMessage {
  const wanted = wantedReply(request, sentBack === undefined ? protocol : "json");
  const said = plainText(message).trim().slice(-1_000);
  const prompt = written.length === 0 ? correctionPrompt : writtenCallPrompt;
  return new HumanMessage(prompt(problem, said, wanted));
}

/** The form that a reply should have had, in words for the model. */
function wantedReply({ tools = [], form }: ModelRequest, protocol: "native" | "json"): string {
  if (form !== undefined) return "give the complete answer in the form that was asked for";
  if (tools.length === 0) return "give the complete answer";
  return protocol === "json" ? wantedAction(tools.map(toolForm)) : wantedCall;
}

/** Asks the role's models in turn until one replies or a limit forbids it. */
async function askInTurn(request: ModelRequest): Promise<Asked> {
  let usage = noUsage;
  let asked: Asked | undefined;
  for (const handle of request.models) {
    if (asked?.kind === "failed") {
      request.run.emit({
        type: "fallback",
        from: asked.model,
        to: handle.name,
        role: request.role,
        reason: asked.reason,
      });
    }
    const reply = await requestModel(handle, request, `model:${crypto.randomUUID()}`);
    usage = addUsage(usage, reply.usage);
    asked = { ...reply, model: handle.name, usage };
    // Another model would only get around what this one declined.
    if (reply.kind !== "failed" || isDeclined(reply.cause)) return asked;
  }
  return (
    asked ?? {
      kind: "failed",
      reason: "No model is configured.",
      model: "",
      usage,
    }
  );
}
