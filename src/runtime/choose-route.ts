import type { BaseMessage } from "@langchain/core/messages";
import type { LangGraphRunnableConfig } from "@langchain/langgraph";

import { PlangraphError } from "../errors.js";
import { structuredReply } from "../models/structured-output.js";
import { errorLine } from "../observe/redact.js";
import {
  clarifyingQuestion,
  type DescribedRoute,
  routeForm,
  routerPrompt,
  routeTask,
} from "../roles/router.js";
import { failedOutcome, isDeclined, type Outcome } from "../state/outcome.js";
import { noUsage, type Usage } from "../state/usage.js";
import type { Run } from "./enter-run.js";
import { lastQuestion } from "./last-question.js";
import { modelRequest } from "./model-request.js";

/** A route, and the questions that are certainly its own. */
type RouteRule = DescribedRoute & {
  readonly when?: RegExp | ((question: string) => boolean) | undefined;
};

/** What a route is chosen by. */
export type RouteRules = {
  /** In the order in which their rules are tried. */
  readonly routes: readonly RouteRule[];
  /** The route of what is unclear; without one the user is asked. */
  readonly fallback: string | undefined;
  /** What the router's model is told. */
  readonly instructions: string;
};

/** The route of a question, what the user is to be asked to find it, or how the run ends without one. */
export type RouteChoice = { readonly usage: Usage } & (
  | { readonly kind: "found"; readonly route: string; readonly reason: string }
  | { readonly kind: "unclear"; readonly question: string; readonly reason: string }
  | { readonly kind: "ends"; readonly outcome: Outcome }
);

/**
 * Chooses who answers the last question: the only route there is, the first whose rule matches, or the one
 * that the router's model names. Where no choice comes of it, the fallback is taken.
 */
export async function chooseRoute(
  rules: RouteRules,
  messages: readonly BaseMessage[],
  run: Run,
  config: LangGraphRunnableConfig,
): Promise<RouteChoice> {
  const { routes } = rules;
  const [first, ...others] = routes;
  if (first !== undefined && others.length === 0) {
    return found(first.name, "It is the only route.", noUsage);
  }
  const question = lastQuestion(messages);
  const certain = routes.find((route) => matches(route, question));
  if (certain !== undefined) return found(certain.name, "A rule of the route matches.", noUsage);
  return chosenByModel(rules, messages, question, run, config);
}

function found(route: string, reason: string, usage: Usage): RouteChoice {
  return { kind: "found", route, reason, usage };
}

function matches({ name, when }: RouteRule, question: string): boolean {
  if (when === undefined) return false;
  // Unlike `test`, `search` forgets where the last match of a global pattern was.
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
  messages: readonly BaseMessage[],
  question: string,
  run: Run,
  config: LangGraphRunnableConfig,
): Promise<RouteChoice> {
  const mayAsk = fallback === undefined;
  const names = routes.map(({ name }) => name);
  const reply = await structuredReply(
    {
      ...(await modelRequest(run, config, "router")),
      messages: routerPrompt(messages, instructions, routes),
      // What it is about is mostly in the words; the route's own model looks at the rest.
      textWillDo: true,
    },
    routeForm(names, mayAsk),
    routeTask(question, mayAsk),
  );
  const { usage } = reply;
  if (!reply.ok) {
    const { limit, problem, cause } = reply;
    if (limit !== undefined) return { kind: "ends", outcome: { status: "limit", limit }, usage };
    return fallback === undefined || isDeclined(cause)
      ? { kind: "ends", outcome: failedOutcome(problem, cause), usage }
      : found(fallback, `No choice came: ${problem}`, usage);
  }
  const { route = fallback, reason } = reply.value;
  if (route !== undefined) return found(route, reason, usage);
  const asked = reply.value.question || clarifyingQuestion(routes);
  return { kind: "unclear", question: asked, reason, usage };
}
