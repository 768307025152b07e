import { HumanMessage } from "@langchain/core/messages";
import type { GraphNode } from "@langchain/langgraph";

import type { StructuredReply } from "../models/structured-output.js";
import { toolStepsOf } from "../plan/step.js";
import { agentPrompt } from "../roles/agent.js";
import { type Joined, joinerPrompt, joinOutput, joinTask } from "../roles/joiner.js";
import type { AnswerChat } from "../run/answer-chat.js";
import { enterRun, type Run } from "../runtime/enter-run.js";
import { heard } from "../runtime/history.js";
import { type Instructions, textOf } from "../runtime/instructions.js";
import { shownMedia } from "../runtime/messages.js";
import { answeredEnd, unansweredEnd } from "../runtime/reply-writes.js";
import type { Writes } from "../state/conversation.js";
import type { Planning, PlanState } from "../state/plan.js";
import { noUsage } from "../state/usage.js";
import { searchToolsName } from "../tools/searchable.js";

type JoinerOptions = { readonly instructions: Instructions };

type Decided = Writes<typeof PlanState, "answer" | "draft" | "outcome" | "feedback" | "replans"> &
  Partial<Writes<typeof PlanState, "messages">>;

/** Joins: reads a plan with the results of its steps, and finishes with the answer or requests a new plan. */
export function createJoiner({ instructions }: JoinerOptions): GraphNode<typeof PlanState> {
  return async function joiner(
    state,
    config,
  ): Promise<Decided & Writes<typeof PlanState, "usage" | "run">> {
    const run = enterRun(state, config, "joiner");
    const { objective, steps, observations, planning } = state;
    if (searchesTools(state)) {
      return { ...replanned(foundFeedback, state, run), usage: noUsage, run: run.record() };
    }
    const asked = joinerPrompt(objective, toolStepsOf(steps), observations, planning.planningError);
    const chat = run.openChat();
    const reply = await run.askFor(
      "joiner",
      { output: joinOutput, task: joinTask },
      {
        messages: [
          ...agentPrompt(
            heard("joiner", state, run),
            textOf(instructions, state, run),
            run.dateLine(),
          ),
          ...shownMedia(observations),
          new HumanMessage(asked),
        ],
        chat,
      },
    );
    return {
      ...(await decided(reply, state, run, chat)),
      usage: reply.usage,
      run: run.record(),
    };
  };
}

const foundFeedback = "Plan with the tools that were found.";

/** Whether the plan ends with a search for tools: what it found is for the next plan. */
function searchesTools({ steps, observations }: Planning): boolean {
  const last = steps.at(-1);
  if (last?.kind !== "tool" || last.tool !== searchToolsName) return false;
  return observations.some(({ callId, ok }) => ok && callId === last.id);
}

/** The state after the joiner's reply; a plan beyond the limit ends the run. */
async function decided(
  reply: StructuredReply<Joined>,
  state: Planning,
  run: Run,
  chat: AnswerChat | undefined,
): Promise<Decided> {
  if (!reply.ok) return unansweredEnd(reply, "answer", run);
  const { value } = reply;
  if (value.action === "finish") {
    return answeredEnd(value.answer, run, await chat?.end(value.answer));
  }
  return replanned(value.feedback, state, run);
}

function replanned(feedback: string, { replans }: Planning, run: Run): Decided {
  const { replans: limit } = run.settings.limits;
  if (limit !== null && replans >= limit) {
    return { outcome: { status: "limit", limit: "replans", reason: feedback } };
  }
  return { feedback, replans: replans + 1 };
}
