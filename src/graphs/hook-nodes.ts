import { isToolMessage } from "@langchain/core/messages";

import { createHook } from "../nodes/hook.js";
import { openTurn } from "../runtime/messages.js";
import {
  type HookPoint,
  hookPoints,
  type JumpTarget,
  type Middleware,
} from "../runtime/middleware.js";
import type { Conversation } from "../state/conversation.js";

/** A state in which a hook may have set where to jump. */
type Hooked = Conversation & { readonly jumpTo?: JumpTarget };

type Router = (state: Hooked) => string;

/** The part of a graph's builder that takes edges. */
type Builder = {
  addEdge(from: string, to: string): unknown;
  addConditionalEdges(from: string, route: Router, to: string[]): unknown;
};

/** The nodes that the hooks are around. */
type Places = {
  /** Asks the model. */
  readonly model: string;
  readonly tools: string;
  /** Ends the run. */
  readonly end: string;
};

/** Suffixes of the nodes' names, as in LangChain. */
const suffix = {
  beforeAgent: "before_agent",
  beforeModel: "before_model",
  afterModel: "after_model",
  afterAgent: "after_agent",
} satisfies Record<HookPoint, string>;

/** The names of the nodes of each kind of hook, in the order in which they run. */
type Chains = { readonly [Point in HookPoint]: readonly string[] };

/**
 * The hooks of a graph's middleware as nodes, named as in LangChain (`NAME.before_model`). Hooks before run in the order
 * of the list, hooks after in the reverse order. A hook that ends the run leads to its end, one that jumps to its target.
 */
export function hookNodes(middleware: readonly Middleware[], at: Places) {
  const hooksAt = (point: HookPoint) =>
    middleware
      .filter((one) => one[point] !== undefined)
      .map((one) => ({ middleware: one, point, name: `${one.name}.${suffix[point]}` }));
  const namesAt = (point: HookPoint) => hooksAt(point).map(({ name }) => name);
  const chains: Chains = {
    beforeAgent: namesAt("beforeAgent"),
    beforeModel: namesAt("beforeModel"),
    afterModel: namesAt("afterModel").toReversed(),
    afterAgent: namesAt("afterAgent").toReversed(),
  };
  const [first = at.model] = chains.beforeModel;
  const [start = first] = chains.beforeAgent;
  const hooks = hookPoints.flatMap(hooksAt);
  return {
    /** The first node of a new run. */
    start,
    /** The first node of a model call. */
    first,
    /** The last node of a model call. */
    last: chains.afterModel.at(-1) ?? at.model,
    /** The last node of the run. */
    finish: chains.afterAgent.at(-1) ?? at.end,
    /** The way on from `last`; a turn that hooks have answered goes back to the model. */
    afterModel(next: Router): Router {
      if (chains.afterModel.length === 0) return next;
      return orJump((state) => (isAnswered(state) ? first : next(state)), at);
    },
    /** The ends of that way: the given nodes, and those that only hooks lead to. */
    endsAfterModel(ends: readonly string[]): string[] {
      return chains.afterModel.length === 0 ? [...ends] : [...new Set([...ends, at.model, first])];
    },
    /** The hooks as nodes. */
    nodes: Object.fromEntries(hooks.map((hook) => [hook.name, createHook(hook)])),
    /** Adds each hook's way to the next. */
    link<B extends Builder>(builder: B): B {
      link(builder, chains, first, at);
      return builder;
    },
  };
}

/** Where a hook leads: to the end of a run that it ended, where it jumps, or on. */
function orJump(next: Router, { model, tools, end }: Places): Router {
  return (state) => {
    if (state.outcome !== undefined) return end;
    return state.jumpTo === undefined ? next(state) : { model, tools, end }[state.jumpTo];
  };
}

function link(builder: Builder, chains: Chains, first: string, at: Places): void {
  const { beforeAgent, beforeModel, afterModel, afterAgent } = chains;
  for (const [from, to] of [
    ...pairs([...beforeAgent, first]),
    ...pairs([...beforeModel, at.model]),
    ...pairs(afterModel),
  ]) {
    builder.addConditionalEdges(
      from,
      orJump(() => to, at),
      [...new Set([to, at.model, at.tools, at.end])],
    );
  }
  const [afterReply] = afterModel;
  if (afterReply !== undefined) {
    const next: Router = ({ outcome }) => (outcome === undefined ? afterReply : at.end);
    builder.addConditionalEdges(at.model, next, [afterReply, at.end]);
  }
  for (const [from, to] of pairs([at.end, ...afterAgent])) builder.addEdge(from, to);
}

/** Each name with the next. */
function pairs(names: readonly string[]): (readonly [string, string])[] {
  return names.slice(1).map((to, at) => [names[at] ?? to, to]);
}

/** Whether hooks have answered all calls of the turn. */
function isAnswered({ messages, observations }: Conversation): boolean {
  const last = messages.at(-1);
  const isResult = last !== undefined && isToolMessage(last);
  return isResult && openTurn(messages, observations).pending.length === 0;
}
