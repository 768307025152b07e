import { HumanMessage } from "@langchain/core/messages";
import type { LangGraphRunnableConfig } from "@langchain/langgraph";

import { structuredReply } from "../models/structured-output.js";
import { evidencePrompt, evidenceTask } from "../prompts/closing.js";
import { dateLine } from "../prompts/date-line.js";
import { resultLines } from "../prompts/results.js";
import { agentPrompt } from "../roles/agent.js";
import { joinForm } from "../roles/joiner.js";
import type { Conversation } from "../state/conversation.js";
import { noUsage, type Usage } from "../state/usage.js";
import type { Run } from "./enter-run.js";
import { lastQuestion } from "./last-question.js";
import { modelRequest } from "./model-request.js";

/** The longest that one result gets among all of them, in characters. */
const maxResultChars = 2_000;

/** The decision must be written: prose alone does not tell an answer from a guess. */
const { readText: _, ...form } = joinForm;

/** Asks once whether what a run found answers its question: the answer if it does, nothing where something is missing. */
export async function answerFromEvidence(
  { messages, observations }: Conversation,
  instructions: string,
  run: Run,
  config: LangGraphRunnableConfig,
): Promise<{ readonly answer?: string; readonly usage: Usage }> {
  const results = resultLines(observations, maxResultChars);
  if (results.length === 0) return { usage: noUsage };
  const date = dateLine(run.clock.now(), run.settings.timeZone);
  const asked = evidencePrompt(lastQuestion(messages), results);
  const request = {
    ...(await modelRequest(run, config, "executor")),
    messages: [...agentPrompt(messages, instructions, date), new HumanMessage(asked)],
  };
  const reply = await structuredReply(request, form, evidenceTask, 0);
  const { usage } = reply;
  return reply.ok && reply.value.action === "finish"
    ? { answer: reply.value.answer, usage }
    : { usage };
}
