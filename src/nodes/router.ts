import type { GraphNode } from "@langchain/langgraph";

import { chooseRoute, type RouteChoice, type RouteRules } from "../runtime/choose-route.js";
import { clarify, type ClarifyWrites, unclearEnd } from "../runtime/clarify.js";
import { enterRun, type Run } from "../runtime/enter-run.js";
import type { Writes } from "../state/conversation.js";
import type { RoutingState } from "../state/routing.js";

/** How often the user is asked what a question is about. */
const maxQuestions = 2;

type Chosen = Writes<typeof RoutingState, "route" | "routing" | "outcome">;
type RouterWrites = (Chosen | ClarifyWrites) & Writes<typeof RoutingState, "usage" | "run">;

/**
 * Routes: finds who answers the last question. What is unclear is asked in the superstep after, so that a
 * pause repeats no model call, and then decided anew.
 */
export function createRouter(rules: RouteRules): GraphNode<typeof RoutingState> {
  return async function router(state, config): Promise<RouterWrites> {
    const run = enterRun(state, config, "router");
    const { routing, messages } = state;
    if (routing.question !== undefined) {
      return { ...(await clarify(state, run, config)), run: run.record() };
    }
    const choice = await chooseRoute(rules, messages, run, config);
    return { ...chosen(choice, routing.asked, run), usage: choice.usage, run: run.record() };
  };
}

function chosen(choice: RouteChoice, asked: number, run: Run): Chosen {
  if (choice.kind === "ends") return { outcome: choice.outcome };
  const { reason } = choice;
  if (choice.kind === "found") {
    const { route } = choice;
    run.emit({ type: "routed", route, content: { reason } });
    return { route };
  }
  if (asked >= maxQuestions) return { outcome: unclearEnd(asked, reason) };
  return { routing: { asked, question: choice.question } };
}
