import { type BaseMessage, isHumanMessage } from "@langchain/core/messages";
import type { LangGraphRunnableConfig } from "@langchain/langgraph";

import { defined } from "../json/json.js";
import { mediaIn } from "../models/provider/media.js";
import type { AgentEventBody, ParentCall } from "../observe/events.js";
import { lastQuestion } from "./messages.js";

/** The event of a run that begins, or that continues where an earlier stream has left it. */
export function runStarted(
  { graph, parent }: { readonly graph: string; readonly parent: ParentCall | undefined },
  messages: readonly BaseMessage[],
  { configurable }: Pick<LangGraphRunnableConfig, "configurable">,
  isResumed: boolean,
): AgentEventBody {
  const threadId = textIn(configurable?.["thread_id"]);
  // Runs inside others are given the configuration of those.
  const graphId = parent === undefined ? textIn(configurable?.["graph_id"]) : undefined;
  const questions = messages.filter(isHumanMessage);
  const earlier = questions.length - 1;
  const media = [...mediaIn(questions.slice(-1))];
  const question = lastQuestion(messages);
  const words = lastPart(questions.findLast(({ text }) => text === question));
  return {
    type: "run_started",
    graph,
    ...defined({ graphId, threadId }),
    ...(isResumed ? { resumed: true } : {}),
    ...(earlier > 0 ? { earlierQuestions: earlier } : {}),
    ...(media.length > 0 ? { media } : {}),
    content: { question, ...defined({ words }) },
  };
}

function textIn(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The last of several parts of text; nothing for a message with one. */
function lastPart(message: BaseMessage | undefined): string | undefined {
  if (message === undefined || typeof message.content === "string") return undefined;
  const texts = message.content.filter((part) => part.type === "text");
  return texts.length < 2 ? undefined : textIn(texts.at(-1)?.["text"]);
}
