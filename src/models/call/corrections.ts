import { type AIMessage, HumanMessage } from "@langchain/core/messages";

import { defined } from "../../json/json.js";
import { correctionPrompt, writtenCallPrompt } from "../../prompts/tool-protocol.js";
import { plainText } from "../message.js";
import { CallFailed } from "../model-failure.js";
import { type Reply, toolForm } from "../model-request.js";
import { jsonProtocol } from "../provider/json-protocol.js";
import type { SentBack, ToolProtocol } from "../provider/tool-protocol.js";
import { replyProblem, withReadableCalls } from "../reply.js";
import type { ModelCall, ModelStage } from "./stage.js";

/** How often an unusable reply goes back to the model. */
const maxCorrections = 2;

/**
 * Sends an unusable reply back with its problem, at most `maxCorrections` times; then the call fails. A call that the
 * model wrote as text goes back with the question whether it means it.
 */
export const corrections: ModelStage = async (call, next) => {
  const { run, role, tools, trailingMessages = [] } = call;
  let sentBack: SentBack | undefined;
  let asked: readonly HumanMessage[] = [];
  for (let corrected = 0; ; corrected += 1) {
    const isLast = corrected === maxCorrections;
    const turn = { isCorrection: corrected > 0, isLast, sentBack };
    const reply = await next({
      ...call,
      ...turn,
      trailingMessages: [...trailingMessages, ...asked],
    });
    const message = withReadableCalls(reply.message, tools);
    const problem = reply.problem ?? replyProblem(message);
    if (problem === undefined) return { ...reply, message };
    const { model, modelCallId } = reply;
    const of = { model, role, ...defined({ modelCallId, for: call.for }) };
    run.emit({ type: "model_corrected", ...of, content: { problem } });
    if (isLast) {
      const reason = `The model "${model}" gave no usable reply ${maxCorrections + 1} times; the last time ${problem}.`;
      throw new CallFailed({ kind: "failed", reason, model });
    }
    sentBack = sentBackIn(reply, message) ?? sentBack;
    asked = [correction(call, { ...reply, message, problem }, sentBack)];
  }
};

/** The record of a reply that goes back with the question whether its call is meant; `undefined` for other replies. */
function sentBackIn({ written, protocol }: Reply, message: AIMessage): SentBack | undefined {
  if (written === undefined) return undefined;
  return { text: plainText(message).trim(), isTurned: protocol.name === "native" };
}

/**
 * The message that goes back: the problem and the end of the reply, or the question about its call. After such a
 * question, the model may reply in the JSON protocol.
 */
function correction(
  call: ModelCall,
  { message, problem = "", written = [], protocol }: Reply,
  sentBack: SentBack | undefined,
): HumanMessage {
  const wanted = wantedReply(call, sentBack === undefined ? protocol : jsonProtocol);
  const said = plainText(message).trim().slice(-1_000);
  const prompt = written.length === 0 ? correctionPrompt : writtenCallPrompt;
  return new HumanMessage(prompt(problem, said, wanted));
}

/** The wanted reply, in words for the model. */
function wantedReply({ tools = [], output, call }: ModelCall, protocol: ToolProtocol): string {
  if (output !== undefined) return "give the complete answer in the form that was asked for";
  return tools.length === 0
    ? "give the complete answer"
    : protocol.reminder(tools.map(toolForm), call === "required");
}
