import { AIMessage, HumanMessage } from "@langchain/core/messages";
import type { LangGraphRunnableConfig } from "@langchain/langgraph";

import { stayedUnclear } from "../roles/router.js";
import type { Writes } from "../state/conversation.js";
import type { Outcome } from "../state/outcome.js";
import type { Routed, RoutingState } from "../state/routing.js";
import { askUser } from "../tools/builtin/people.js";
import { answerIn, questionRequest } from "../tools/human-input.js";
import { askPeople } from "./ask-people.js";
import { waitingEnd } from "./close-turn.js";
import type { Run } from "./enter-run.js";
import { clarifyingId } from "./last-question.js";

/** What a question to the user writes. */
export type ClarifyWrites = Writes<
  typeof RoutingState,
  "messages" | "routing" | "outcome" | "answer" | "decisions"
>;

/**
 * Asks the user what the question is about, in the one shape in which people are asked. Question and answer
 * become part of the conversation; a refused question ends the run, handed off.
 */
export async function clarify(
  { routing, decisions }: Routed,
  run: Run,
  config: LangGraphRunnableConfig,
): Promise<ClarifyWrites> {
  const { question = "", asked } = routing;
  const id = clarifyingId(run.runId, asked + 1);
  const request = questionRequest({ id, name: askUser.name, args: { question } }, run.runId);
  const reply = await askPeople([request], decisions, run, config);
  if (reply.kind === "cannot_pause") return waitingEnd([request], run);
  const [decision] = reply.decisions;
  const answer = decision === undefined ? "" : answerIn(decision, question);
  const base = {
    routing: { asked: asked + 1 },
    ...(decisions === undefined ? {} : { decisions: undefined }),
  };
  if (decision === undefined || decision.type === "reject") {
    const why = `the user did not answer. ${answer}`.trim();
    return { ...base, outcome: unclearEnd(asked + 1, why) };
  }
  return {
    ...base,
    messages: [new AIMessage({ id, content: question }), new HumanMessage(answer)],
  };
}

/** How a run ends of which nobody knows what it is about. */
export function unclearEnd(asked: number, why: string): Outcome {
  return { status: "handed_off", reason: stayedUnclear(asked, why) };
}
