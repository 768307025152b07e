import { type BaseMessage, isHumanMessage } from "@langchain/core/messages";
import type { LangGraphRunnableConfig } from "@langchain/langgraph";

import { defined } from "../json/json.js";
import { mediaIn } from "../models/provider/media.js";
import type { AgentEventBody } from "../observe/events.js";
import { lastQuestion } from "./messages.js";

/** The event of a run that begins, or that continues where an earlier stream has left it. */
export function runStarted(
  graph: string,
  messages: readonly BaseMessage[],
  { configurable }: Pick<LangGraphRunnableConfig, "configurable">,
  isResumed: boolean,
): AgentEventBody {
  const thread: unknown = configurable?.["thread_id"];
  const threadId = typeof thread === "string" ? thread : undefined;
  const questions = messages.filter(isHumanMessage);
  const earlier = questions.length - 1;
  const media = [...mediaIn(questions.slice(-1))];
  return {
    type: "run_started",
    graph,
    ...defined({ threadId }),
    ...(isResumed ? { resumed: true } : {}),
    ...(earlier > 0 ? { earlierQuestions: earlier } : {}),
    ...(media.length > 0 ? { media } : {}),
    content: { question: lastQuestion(messages) },
  };
}
