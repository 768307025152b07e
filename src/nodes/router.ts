import { AIMessage, HumanMessage } from "@langchain/core/messages";
import type { GraphNode } from "@langchain/langgraph";

import { PlangraphError } from "../errors.js";
import { errorLine } from "../observe/redact.js";
import {
  clarifyingQuestion,
  type DescribedRoute,
  routeOutput,
  routerPrompt,
  routeTask,
  stayedUnclear,
} from "../roles/router.js";
import { enterRun, type Run } from "../runtime/enter-run.js";
import { heard } from "../runtime/history.js";
import { type Instructions, textOf } from "../runtime/instructions.js";
import { askPeople } from "../runtime/interrupts.js";
import { clarifyingId, lastQuestion } from "../runtime/messages.js";
import { finalEnd } from "../runtime/reply-writes.js";
import { waitingEnd } from "../runtime/turn-writes.js";
import type { Writes } from "../state/conversation.js";
import { failedOutcome, type Outcome } from "../state/outcome.js";
import type { Routed, RoutingState } from "../state/routing.js";
import { noUsage, type Usage } from "../state/usage.js";
import { askUser } from "../tools/builtin/people.js";
import { answerIn, questionRequest } from "../tools/human-input.js";

/** How often the user is asked about the topic of a question. */
const maxQuestions = 2;

type Chosen = Writes<typeof RoutingState, "route" | "routing" | "outcome">;
type RouterWrites = (Chosen | ClarifyWrites) & Writes<typeof RoutingState, "usage" | "run">;

/**
 * Routes: finds the route for the last question. An unclear question is asked about in the next superstep, so that a
 * pause repeats no model call; then the route is chosen again.
 */
export function createRouter(rules: RouteRules): GraphNode<typeof RoutingState> {
  return async function router(state, config): Promise<RouterWrites> {
    const run = enterRun(state, config, "router");
    const { routing } = state;
    if (routing.question !== undefined) {
      return { ...(await clarify(state, run)), run: run.record() };
    }
    const choice = await chooseRoute(rules, state, run);
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

/** A route, and the rule for questions that are certainly its own. */
type RouteRule = DescribedRoute & {
  readonly when?: RegExp | ((question: string) => boolean) | undefined;
};

type RouteRules = {
  /** In the order in which their rules are tried. */
  readonly routes: readonly RouteRule[];
  /** The route of an unclear question; without one the user is asked. */
  readonly fallback: string | undefined;
  /** The router's instructions. */
  readonly instructions: Instructions;
};

/** The route of a question, the request to the user that may find it, or how the run ends without one. */
type RouteChoice = { readonly usage: Usage } & (
  | { readonly kind: "found"; readonly route: string; readonly reason: string }
  | { readonly kind: "unclear"; readonly question: string; readonly reason: string }
  | { readonly kind: "ends"; readonly outcome: Outcome }
);

/** Chooses the only route, the first one whose rule matches, or the router model's choice; else the fallback. */
async function chooseRoute(rules: RouteRules, state: Routed, run: Run): Promise<RouteChoice> {
  const { routes } = rules;
  const [first, ...others] = routes;
  if (first !== undefined && others.length === 0) {
    return found(first.name, "It is the only route.", noUsage);
  }
  const question = lastQuestion(state.messages);
  const certain = routes.find((route) => matches(route, question));
  if (certain !== undefined) return found(certain.name, "A rule of the route matches.", noUsage);
  return chosenByModel(rules, state, question, run);
}

function found(route: string, reason: string, usage: Usage): RouteChoice {
  return { kind: "found", route, reason, usage };
}

function matches({ name, when }: RouteRule, question: string): boolean {
  if (when === undefined) return false;
  // Unlike `test`, `search` ignores the last match position of a global pattern.
  if (when instanceof RegExp) return question.search(when) >= 0;
  try {
    return when(question);
  } catch (error) {
    const message = `routes.${name}.when failed: ${errorLine(error)}. Expected a function that tells of every question whether the route answers it.`;
    throw new PlangraphError("invalid_option", message, { cause: error });
  }
}

async function chosenByModel(
  { routes, fallback, instructions }: RouteRules,
  state: Routed,
  question: string,
  run: Run,
): Promise<RouteChoice> {
  const mayAsk = fallback === undefined;
  const names = routes.map(({ name }) => name);
  const wanted = { output: routeOutput(names, mayAsk), task: routeTask(question) };
  const reply = await run.askFor("router", wanted, {
    messages: routerPrompt(heard("router", state, run), textOf(instructions, state, run), routes),
    // The topic is mostly in the words; the route's own model reads the rest.
    textWillDo: true,
  });
  const { usage } = reply;
  if (!reply.ok) {
    const end = finalEnd(reply);
    if (end === undefined && fallback !== undefined) {
      return found(fallback, `No choice came: ${reply.problem}`, usage);
    }
    if (reply.isUnfit === true) {
      const why = `No route was chosen: ${reply.problem}`;
      return { kind: "unclear", question: clarifyingQuestion(routes), reason: why, usage };
    }
    const { outcome } = end ?? { outcome: failedOutcome(reply.problem, reply.cause) };
    return { kind: "ends", outcome, usage };
  }
  const { route = fallback, reason } = reply.value;
  if (route !== undefined) return found(route, reason, usage);
  const asked = reply.value.question || clarifyingQuestion(routes);
  return { kind: "unclear", question: asked, reason, usage };
}

type ClarifyWrites = Writes<
  typeof RoutingState,
  "messages" | "routing" | "outcome" | "answer" | "decisions"
>;

/** Asks the user about the topic. Question and answer join the conversation; a refusal ends the run, handed off. */
async function clarify({ routing, decisions }: Routed, run: Run): Promise<ClarifyWrites> {
  const { question = "", asked } = routing;
  const id = clarifyingId(run.runId, asked + 1);
  const request = questionRequest({ id, name: askUser.name, args: { question } }, run.runId);
  const reply = await askPeople([request], decisions, run);
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

function unclearEnd(asked: number, why: string): Outcome {
  return { status: "handed_off", reason: stayedUnclear(asked, why) };
}
